#include "llm/providers/aws_credentials.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/providers/aws_profiles.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kDefaultRegion = "us-east-1";
constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::string_view kRemedy =
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_BEARER_TOKEN_BEDROCK, or AWS_PROFILE";

std::optional<std::string> find_first(const files::Environment& environment,
                                      std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (auto value = environment.find(name)) return value;
  return std::nullopt;
}

// Empty if neither the variable nor a home folder says where the file is.
std::string find_file(const files::Environment& environment, std::string_view variable,
                      std::string_view default_name) {
  const std::string home = environment.find("HOME").value_or("");
  const auto named = environment.find(variable);
  if (!named) return home.empty() ? "" : fmt::format("{}/.aws/{}", home, default_name);
  return named->starts_with("~/") ? home + named->substr(1) : *named;
}

// No sections if there is no such file.
Result<AwsSections> load_sections(const std::string& path) {
  if (path.empty()) return AwsSections{};
  auto text = files::load_text(path, kLargestFile);
  if (!text && text.error().kind == ErrorKind::NotFound) return AwsSections{};
  if (!text) return std::unexpected(std::move(text).error());
  auto sections = parse_aws_sections(*text);
  if (!sections)
    return fail(ErrorKind::Invalid, "{}, {}", printable(path), sections.error().message);
  return sections;
}

struct Profile {
  std::string name;
  bool is_named = false;             // by the user, not by default
  std::vector<AwsSettings> sources;  // where the profile is found, the credentials file first
};

Result<Profile> load_profile(const files::Environment& environment) {
  const auto named = find_first(environment, {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
  Profile profile{named.value_or("default"), named.has_value(), {}};
  ASSIGN_OR_RETURN(
      const AwsSections credentials,
      load_sections(find_file(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials")));
  ASSIGN_OR_RETURN(const AwsSections config,
                   load_sections(find_file(environment, "AWS_CONFIG_FILE", "config")));
  const auto take = [&profile](const AwsSections& sections, const std::string& title) {
    const auto section = sections.find(title);
    if (section != sections.end()) profile.sources.push_back(section->second);
  };
  take(credentials, profile.name);
  take(config, "profile " + profile.name);
  if (profile.name == "default") take(config, profile.name);
  return profile;
}

std::string setting_of(const AwsSettings& settings, std::string_view name) {
  const auto place = settings.find(name);
  return place == settings.end() ? "" : place->second;
}

std::string find_region(const Profile& profile) {
  for (const AwsSettings& settings : profile.sources)
    if (std::string region = setting_of(settings, "region"); !region.empty()) return region;
  return std::string(kDefaultRegion);
}

// All of them from one file: a session's token fits no other key.
Result<AwsCredentials> find_credentials(const Profile& profile) {
  for (const AwsSettings& settings : profile.sources) {
    AwsCredentials credentials{setting_of(settings, "aws_access_key_id"),
                               Secret(setting_of(settings, "aws_secret_access_key")),
                               Secret(setting_of(settings, "aws_session_token"))};
    if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  }
  const std::string name = printable(shorten(profile.name, 80));
  if (!profile.sources.empty())
    return fail(ErrorKind::Unauthorized,
                "the AWS profile \"{}\" has no aws_access_key_id with aws_secret_access_key: add "
                "them, or copy the keys of its role or single sign-on into AWS_ACCESS_KEY_ID, "
                "AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN (`aws configure export-credentials` "
                "prints them)",
                name);
  if (profile.is_named)
    return fail(ErrorKind::Unauthorized, "there is no AWS profile \"{}\": {}", name, kRemedy);
  return fail(ErrorKind::Unauthorized, "bedrock needs AWS keys: {}", kRemedy);
}

// The keys that the environment itself has, if any.
Result<std::optional<AwsCredentials>> find_credentials(const files::Environment& environment) {
  const auto access_key = environment.find("AWS_ACCESS_KEY_ID");
  const auto secret_key = environment.find("AWS_SECRET_ACCESS_KEY");
  if (!access_key && !secret_key) return std::nullopt;
  if (!access_key || !secret_key)
    return fail(ErrorKind::Unauthorized, "{} is set without {}: set both",
                access_key ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
                access_key ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID");
  return AwsCredentials{*access_key, Secret(*secret_key),
                        Secret(environment.find("AWS_SESSION_TOKEN").value_or(""))};
}

// The region becomes part of a host name, and no text from a file may send keys to another host.
Result<void> check_region(const std::string& region) {
  const bool fits = std::ranges::all_of(
      region, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  if (fits && region.size() <= 64) return {};
  return fail(ErrorKind::Invalid, "the AWS region \"{}\" is not a region's name, such as {}",
              printable(shorten(region, 80)), kDefaultRegion);
}

}  // namespace

Result<AwsAccess> load_aws_access(const files::Environment& environment,
                                  const std::optional<std::string>& region) {
  AwsAccess access;
  access.bearer_token = Secret(environment.find("AWS_BEARER_TOKEN_BEDROCK").value_or(""));
  std::optional<AwsCredentials> credentials;
  if (access.bearer_token.empty()) {
    ASSIGN_OR_RETURN(credentials, find_credentials(environment));
  }
  access.region =
      region.value_or(find_first(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"}).value_or(""));

  const bool needs_keys = access.bearer_token.empty() && !credentials;
  if (needs_keys || access.region.empty()) {
    ASSIGN_OR_RETURN(const Profile profile, load_profile(environment));
    if (needs_keys) {
      ASSIGN_OR_RETURN(credentials, find_credentials(profile));
    }
    if (access.region.empty()) access.region = find_region(profile);
  }
  if (credentials) access.credentials = std::move(*credentials);
  RETURN_IF_ERROR(check_region(access.region));
  return access;
}

Result<std::string> find_bedrock_address(const files::Environment& environment,
                                         const std::string& region) {
  for (const std::string_view variable :
       {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AWS_ENDPOINT_URL", "BEDROCK_BASE_URL"}) {
    const auto address = environment.find(variable);
    if (!address) continue;
    // Keys may also come from a profile, which is no more of the file than the environment is.
    const bool has_bearer = environment.find("AWS_BEARER_TOKEN_BEDROCK").has_value();
    const std::string_view key = has_bearer ? "AWS_BEARER_TOKEN_BEDROCK" : "AWS_ACCESS_KEY_ID";
    const bool is_of_file = environment.source_of(variable) == files::Source::File;
    if (is_of_file && environment.source_of(key) == files::Source::None)
      return fail(ErrorKind::Misconfigured,
                  "{} comes from {}, but the AWS keys come from a profile, so nothing was sent "
                  "there: set it in the environment",
                  variable, printable(environment.file()));
    RETURN_IF_ERROR(files::check_same_source(environment, variable, key));
    return *address;
  }
  return fmt::format("https://bedrock-runtime.{}.amazonaws.com", region);
}

}  // namespace personascope::llm
