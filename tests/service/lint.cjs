// What Redocly's linter finds in an OpenAPI description on standard input, as JSON. Fetches nothing.
const { createConfig, lintFromString } = require("@redocly/openapi-core");

async function main() {
  let source = "";
  for await (const part of process.stdin) source += part;
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  console.log(JSON.stringify(problems.map(({ ruleId, message, location }) => ({ rule: ruleId, message, where: location[0]?.pointer }))));
}

main();
