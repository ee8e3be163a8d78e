! SPDX-License-Identifier: MIT
! Windows and files through mpif.h: handles are integers, offsets and sizes of kinds of their own, file names carry their length.
      program windows_and_files
      implicit none
      include 'mpif.h'
      integer :: rank, ranks, left, right, step, bad, total, window, file, world, group, ierr, request
      integer :: mine, numbers(32), got(32)
      integer(kind=MPI_ADDRESS_KIND) :: bytes, place
      integer(kind=MPI_OFFSET_KIND) :: offset
      common /exposed/ mine
      asynchronous :: mine
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      right = mod(rank + 1, ranks)
      left = mod(rank + ranks - 1, ranks)
      bad = 0
      bytes = 4
      place = 0
      call MPI_WIN_CREATE(mine, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
      do step = 1, 5
        call MPI_WIN_FENCE(0, window, ierr)
        call MPI_PUT(rank, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, window, ierr)
        call MPI_WIN_FENCE(0, window, ierr)
        if (mine .ne. left) bad = bad + 1
        call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      end do
      call MPI_COMM_GROUP(MPI_COMM_WORLD, world, ierr)
      call MPI_WIN_POST(world, 0, window, ierr)
      call MPI_WIN_START(world, 0, window, ierr)
      call MPI_WIN_COMPLETE(window, ierr)
      call MPI_WIN_WAIT(window, ierr)
      call MPI_GROUP_FREE(world, ierr)
      call MPI_WIN_LOCK(MPI_LOCK_SHARED, right, 0, window, ierr)
      call MPI_GET(got, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, window, ierr)
      call MPI_WIN_UNLOCK(right, window, ierr)
      if (got(1) .ne. rank) bad = bad + 1
      call MPI_WIN_FREE(window, ierr)

      call MPI_FILE_OPEN(MPI_COMM_WORLD, 'windows_and_files.tmp', MPI_MODE_RDWR + MPI_MODE_CREATE, MPI_INFO_NULL, file, ierr)
      offset = 128 * rank
      call MPI_FILE_SET_VIEW(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
      numbers = rank
      call MPI_FILE_WRITE_ALL(file, numbers, 32, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
      offset = 0
      call MPI_FILE_IREAD_AT(file, offset, got, 32, MPI_INTEGER, request, ierr)
      call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
      if (got(32) .ne. rank) bad = bad + 1
      call MPI_FILE_CLOSE(file, ierr)
      if (rank .eq. 0) call MPI_FILE_DELETE('windows_and_files.tmp', MPI_INFO_NULL, ierr)
      call MPI_ALLREDUCE(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      call MPI_FINALIZE(ierr)
      if (rank .eq. 0 .and. total .eq. 0) print '(a)', 'windows_and_files: ok'
      if (rank .eq. 0 .and. total .ne. 0) print '(a,i0)', 'failed checks: ', total
      end program
