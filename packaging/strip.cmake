# Called by CPack for every package before it is closed: nothing that only a debugger or nobody reads.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_DIRECTORY}/*/usr/bin/* ${CPACK_TEMPORARY_DIRECTORY}/*.so)
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_DIRECTORY}/*.a)
foreach(file IN LISTS programs)
  execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(file IN LISTS archives)
  execute_process(COMMAND strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${file}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
