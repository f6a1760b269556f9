// What scipy.ndimage reads beyond the ends of a line: its five modes, lines of 1 to 20 cells, up to
// 8 cells beyond each end.
//
// Made with scipy 1.17.1 and written down here: for each radius up to 8, correlate1d of a line that
// holds its own indices with weights that hold a single 1. Row n-1 is the line of n cells with 8
// cells on both sides, its cells written a b c ...; a dot is the constant.
#pragma once

namespace stencilc::testing {

constexpr int kGhosts = 8, kLongest = 20;

constexpr const char* kNearest[kLongest] = {"aaaaaaaaaaaaaaaaa",
                                            "aaaaaaaaabbbbbbbbb",
                                            "aaaaaaaaabccccccccc",
                                            "aaaaaaaaabcddddddddd",
                                            "aaaaaaaaabcdeeeeeeeee",
                                            "aaaaaaaaabcdefffffffff",
                                            "aaaaaaaaabcdefggggggggg",
                                            "aaaaaaaaabcdefghhhhhhhhh",
                                            "aaaaaaaaabcdefghiiiiiiiii",
                                            "aaaaaaaaabcdefghijjjjjjjjj",
                                            "aaaaaaaaabcdefghijkkkkkkkkk",
                                            "aaaaaaaaabcdefghijklllllllll",
                                            "aaaaaaaaabcdefghijklmmmmmmmmm",
                                            "aaaaaaaaabcdefghijklmnnnnnnnnn",
                                            "aaaaaaaaabcdefghijklmnooooooooo",
                                            "aaaaaaaaabcdefghijklmnoppppppppp",
                                            "aaaaaaaaabcdefghijklmnopqqqqqqqqq",
                                            "aaaaaaaaabcdefghijklmnopqrrrrrrrrr",
                                            "aaaaaaaaabcdefghijklmnopqrsssssssss",
                                            "aaaaaaaaabcdefghijklmnopqrsttttttttt"};

constexpr const char* kReflect[kLongest] = {"aaaaaaaaaaaaaaaaa",
                                            "abbaabbaabbaabbaab",
                                            "baabccbaabccbaabccb",
                                            "abcddcbaabcddcbaabcd",
                                            "cdeedcbaabcdeedcbaabc",
                                            "effedcbaabcdeffedcbaab",
                                            "ggfedcbaabcdefggfedcbaa",
                                            "hgfedcbaabcdefghhgfedcba",
                                            "hgfedcbaabcdefghiihgfedcb",
                                            "hgfedcbaabcdefghijjihgfedc",
                                            "hgfedcbaabcdefghijkkjihgfed",
                                            "hgfedcbaabcdefghijkllkjihgfe",
                                            "hgfedcbaabcdefghijklmmlkjihgf",
                                            "hgfedcbaabcdefghijklmnnmlkjihg",
                                            "hgfedcbaabcdefghijklmnoonmlkjih",
                                            "hgfedcbaabcdefghijklmnopponmlkji",
                                            "hgfedcbaabcdefghijklmnopqqponmlkj",
                                            "hgfedcbaabcdefghijklmnopqrrqponmlk",
                                            "hgfedcbaabcdefghijklmnopqrssrqponml",
                                            "hgfedcbaabcdefghijklmnopqrsttsrqponm"};

constexpr const char* kMirror[kLongest] = {"aaaaaaaaaaaaaaaaa",
                                           "ababababababababab",
                                           "abcbabcbabcbabcbabc",
                                           "cbabcdcbabcdcbabcdcb",
                                           "abcdedcbabcdedcbabcde",
                                           "cdefedcbabcdefedcbabcd",
                                           "efgfedcbabcdefgfedcbabc",
                                           "ghgfedcbabcdefghgfedcbab",
                                           "ihgfedcbabcdefghihgfedcba",
                                           "ihgfedcbabcdefghijihgfedcb",
                                           "ihgfedcbabcdefghijkjihgfedc",
                                           "ihgfedcbabcdefghijklkjihgfed",
                                           "ihgfedcbabcdefghijklmlkjihgfe",
                                           "ihgfedcbabcdefghijklmnmlkjihgf",
                                           "ihgfedcbabcdefghijklmnonmlkjihg",
                                           "ihgfedcbabcdefghijklmnoponmlkjih",
                                           "ihgfedcbabcdefghijklmnopqponmlkji",
                                           "ihgfedcbabcdefghijklmnopqrqponmlkj",
                                           "ihgfedcbabcdefghijklmnopqrsrqponmlk",
                                           "ihgfedcbabcdefghijklmnopqrstsrqponml"};

constexpr const char* kWrap[kLongest] = {"aaaaaaaaaaaaaaaaa",
                                         "ababababababababab",
                                         "bcabcabcabcabcabcab",
                                         "abcdabcdabcdabcdabcd",
                                         "cdeabcdeabcdeabcdeabc",
                                         "efabcdefabcdefabcdefab",
                                         "gabcdefgabcdefgabcdefga",
                                         "abcdefghabcdefghabcdefgh",
                                         "bcdefghiabcdefghiabcdefgh",
                                         "cdefghijabcdefghijabcdefgh",
                                         "defghijkabcdefghijkabcdefgh",
                                         "efghijklabcdefghijklabcdefgh",
                                         "fghijklmabcdefghijklmabcdefgh",
                                         "ghijklmnabcdefghijklmnabcdefgh",
                                         "hijklmnoabcdefghijklmnoabcdefgh",
                                         "ijklmnopabcdefghijklmnopabcdefgh",
                                         "jklmnopqabcdefghijklmnopqabcdefgh",
                                         "klmnopqrabcdefghijklmnopqrabcdefgh",
                                         "lmnopqrsabcdefghijklmnopqrsabcdefgh",
                                         "mnopqrstabcdefghijklmnopqrstabcdefgh"};

constexpr const char* kConstant[kLongest] = {"........a........",
                                             "........ab........",
                                             "........abc........",
                                             "........abcd........",
                                             "........abcde........",
                                             "........abcdef........",
                                             "........abcdefg........",
                                             "........abcdefgh........",
                                             "........abcdefghi........",
                                             "........abcdefghij........",
                                             "........abcdefghijk........",
                                             "........abcdefghijkl........",
                                             "........abcdefghijklm........",
                                             "........abcdefghijklmn........",
                                             "........abcdefghijklmno........",
                                             "........abcdefghijklmnop........",
                                             "........abcdefghijklmnopq........",
                                             "........abcdefghijklmnopqr........",
                                             "........abcdefghijklmnopqrs........",
                                             "........abcdefghijklmnopqrst........"};

}  // namespace stencilc::testing
