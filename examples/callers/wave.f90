! Calls a stencil from Fortran 2008. Build and run it in this folder:
!
!   stencilc ../wave2d.stn --target=cpu --emit=so -o libwave2d.so -H wave2d.h
!   gfortran -std=f2008 wave.f90 -L. -lwave2d -Wl,-rpath,. -o wave
!   ./wave
!
! The interfaces below are those of wave2d.h.
module wave2d
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: stencil_ok = 0, stencil_negative_steps = 7

  interface
    ! u(1) is level t, u(2) level t-1; a run swaps them.
    function wave2d_run(u, nx, ny, pitch, c2, steps) bind(c) result(code)
      import :: c_ptr, c_int, c_int64_t, c_float
      type(c_ptr), intent(inout) :: u(2)
      integer(c_int64_t), value :: nx, ny, pitch, steps
      real(c_float), value :: c2
      integer(c_int) :: code
    end function

    function stencil_last_error() bind(c) result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function strlen(text) bind(c) result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! What the last call that failed says.
  function last_error() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    type(c_ptr) :: from
    integer :: i, length
    from = stencil_last_error()
    length = int(strlen(from))
    call c_f_pointer(from, characters, [length])
    allocate(character(len=length) :: text)
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function

end module

program wave
  use wave2d
  implicit none
  integer(c_int64_t), parameter :: nx = 64, ny = 48
  real(c_float), allocatable, target :: newest(:, :), before(:, :)
  real(c_float), pointer :: cells(:, :)
  type(c_ptr) :: u(2)
  integer(c_int) :: code

  ! The first index of Fortran is x, which is contiguous, as in the program.
  allocate(newest(0:nx-1, 0:ny-1), before(0:nx-1, 0:ny-1))
  newest = 0
  newest(30, 20) = 1
  before = newest
  u = [c_loc(newest), c_loc(before)]

  code = wave2d_run(u, nx, ny, nx, 0.25_c_float, 100_c_int64_t)
  if (code /= stencil_ok) then
    print '(a)', last_error()
    error stop 1
  end if
  call c_f_pointer(u(1), cells, [nx, ny])  ! from index 1 on
  print '(a, f8.6, a, f9.6)', 'u(30,20) = ', cells(31, 21), ', u(0,0) = ', cells(1, 1)

  ! A call with a mistake changes nothing.
  code = wave2d_run(u, nx, ny, nx, 0.25_c_float, -1_c_int64_t)
  if (code == stencil_negative_steps) print '(a, i0, 2a)', 'code ', code, ', as expected: ', last_error()
end program
