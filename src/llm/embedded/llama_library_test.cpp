#include "llm/embedded/llama_library.hpp"

#include <gtest/gtest.h>

#include "llm/embedded/real_model.hpp"

namespace personascope::llm::embedded {
namespace {

TEST(LlamaLibrary, LoadingEndsAsSoonAsNobodyWantsTheWeights) {
  int asked = 0;
  const auto model =
      load_model(real_model_path(), Part::Everything, [&asked] { return ++asked == 3; });
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(asked, 3);
}

// So that large weights are given up within a part of a second.
TEST(LlamaLibrary, LoadingAsksForEveryTensorWhetherToGoOn) {
  int asked = 0;
  const auto count = [&asked] {
    ++asked;
    return false;
  };
  ASSERT_TRUE(load_model(real_model_path(), Part::Everything, count));
  EXPECT_GE(asked, 100);
}

TEST(LlamaLibraryDeathTest, WhatLlamaDiesOfIsOneSentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_TRUE(load_kernels());
  EXPECT_DEATH(ggml_abort("a.cpp", 7, "no layers"),
               "llama.cpp ended the program, perhaps on a damaged model file: a.cpp:7: no layers");
}

TEST(LlamaLibrary, NamesTheKernelsItHasLoaded) {
  EXPECT_TRUE(load_kernels().value().starts_with("cpu-")) << load_kernels().value();
}

}  // namespace
}  // namespace personascope::llm::embedded
