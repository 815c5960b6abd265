#include <nlohmann/json.hpp>
#include <string_view>

#include "documents.h"
#include "service.h"

namespace hushwalk::service {
namespace {

using Json = nlohmann::ordered_json;

// Schemas of the command line name each other as files do.
void point_inside(Json& document) {
  if (document.is_object())
    for (auto& [key, value] : document.items()) {
      const bool file = key == "$ref" && value.is_string() && !value.get<std::string>().starts_with('#');
      if (file) {
        const std::string name = value;
        value = "#/components/schemas/" + name.substr(0, name.find('.'));
      }
      point_inside(value);
    }
  if (document.is_array())
    for (Json& one : document) point_inside(one);
}

std::string made() {
  Json document;
  for (const Document& part : documents)
    if (part.name == "openapi") document = Json::parse(part.text);
  for (const Document& part : documents) {
    if (part.name == "openapi") continue;
    Json schema = Json::parse(part.text);
    schema.erase("$schema");
    document["components"]["schemas"][std::string(part.name)] = std::move(schema);
  }
  point_inside(document);
  return document.dump(1);
}

}  // namespace

const std::string& openapi_document() {
  static const std::string text = made();
  return text;
}

}  // namespace hushwalk::service
