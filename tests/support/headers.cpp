// The target whose precompiled headers the tests share needs a file.
