# llama.cpp for the embedded model, as scripts/setup-model built it.
set(PERSONASCOPE_LLAMA ${CMAKE_SOURCE_DIR}/.cache/llama-0.3.36 CACHE PATH
  "Folder with include/ and lib/ of llama.cpp")
set(PERSONASCOPE_MODELS ${CMAKE_SOURCE_DIR}/.cache/models CACHE PATH
  "Folder where embedded models are looked for by name")

if(NOT EXISTS ${PERSONASCOPE_LLAMA}/lib/libllama.so)
  message(FATAL_ERROR "llama.cpp is not built yet: run scripts/setup-model first")
endif()

add_library(llama INTERFACE)
target_include_directories(llama SYSTEM INTERFACE ${PERSONASCOPE_LLAMA}/include)
foreach(library llama ggml ggml-base)
  target_link_libraries(llama INTERFACE ${PERSONASCOPE_LLAMA}/lib/lib${library}.so)
endforeach()
