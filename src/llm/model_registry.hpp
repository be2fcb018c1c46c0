// The registry: the way from a model's name, "provider/model", to the model. The catalog's
// providers are in it from the beginning; a door adds its own, such as "python" for functions of
// its user's, without a change below.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "files/environment.hpp"
#include "http/client.hpp"
#include "llm/model.hpp"
#include "llm/model_options.hpp"

namespace personascope::llm {

// What a model is made of. The client outlives the model; the rest is looked at only while it is
// made.
struct ModelParts {
  const ModelOptions& options;
  const files::Environment& settings;
  http::Client& client;  // its loop is the one on whose thread the model is asked
};

// A value; a run refers to the one that it was started with. add() from one thread, before any run;
// everything else from any thread.
class ModelRegistry {
 public:
  // `name` is what follows the provider's name and a slash, and is not empty. Sends nothing. May be
  // called on any thread, and on several at once.
  using Make =
      std::function<Result<std::unique_ptr<Model>>(const std::string& name, const ModelParts&)>;

  // Knows no provider.
  ModelRegistry() = default;
  // Knows every provider of the catalog.
  static ModelRegistry make_default();

  // Adds a provider, whose models are "provider/…". The endpoint of a model that it makes must
  // name this provider and hold a version or a hash of weights: they are part of the key under
  // which answers are kept, so that a changed model is asked anew. Fails as Invalid if the name is
  // taken, or is not made of letters, digits, - and _.
  Result<void> add(std::string provider, Make make);

  // The model of that name. Sends nothing. Fails as Invalid (no such provider; the message has the
  // nearest one), Unauthorized (no key; the message says which variable to set), NotFound (a
  // script or a model file that is not there), or whatever an added provider says.
  Result<std::unique_ptr<Model>> make(const std::string& name, const ModelParts& parts) const;

 private:
  enum class Origin { Catalog, Added };
  struct Row {
    std::string provider;
    Make make;
    Origin origin = Origin::Added;
  };

  const Row* find(std::string_view provider) const;

  std::vector<Row> rows_;
};

}  // namespace personascope::llm
