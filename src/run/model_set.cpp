#include "run/model_set.hpp"

namespace personascope::run {

Result<void> check_price(const EngineOptions& options, const llm::Prices& prices,
                         const llm::Model& model) {
  const std::string name = llm::render_name(model.endpoint());
  if (!options.max_cost_usd || prices.find(name)) return {};
  return fail(ErrorKind::Invalid,
              "`max_cost` is given, but the price of {} is not known: add it to a price file "
              "(`prices`) or limit `max_tokens` instead",
              name);
}

Result<llm::Model*> ModelSet::add(const std::string& name,
                                  const std::optional<std::string>& base_url) {
  auto& known = models_[{name, base_url}];
  if (known) return known.get();
  const llm::ModelOptions options{base_url, timeouts_of(options_), embedded_options_of(options_),
                                  options_.aws_region};
  ASSIGN_OR_RETURN(auto model, registry_.make(name, {options, settings_, client_}));
  RETURN_IF_ERROR(check_price(options_, prices_, *model));
  known = std::move(model);
  return known.get();
}

Task<void> ModelSet::close() {
  for (const auto& [place, model] : models_)
    if (model) co_await model->close();
}

Json ModelSet::describe_files() const {
  Json described = Json::object();
  for (const auto& [place, model] : models_)
    if (Json made_of = model ? model->describe() : Json::object(); !made_of.empty())
      described[place.first] = std::move(made_of);
  return described;
}

}  // namespace personascope::run
