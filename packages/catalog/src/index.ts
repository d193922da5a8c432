// @tandem/catalog: pure functions over the OpenAPI document of a Tandem server, for the server itself and for its portal.
// Runs in Node and in browsers; see README.md.
export { type Addressed, categorySlug, endpointAddress, endpointSlug, problemAddress } from './address.ts'
export { formType, type JsonSchema, type OpenApiDocument, schemaName, type Version } from './document.ts'
export { errorSample, type Problem, reasonPhrase } from './error_samples.ts'
export { brunoCollection } from './exports/bruno.ts'
export { llmsFullTxt, llmsTxt } from './exports/llms.ts'
export {
  catalogMarkdown,
  categoryMarkdown,
  endpointMarkdown,
  errorsMarkdown,
  problemMarkdown,
  schemasMarkdown,
} from './exports/markdown.ts'
export { postmanCollection } from './exports/postman.ts'
export { bodyFields, choicesOf, type Field, fieldOf, mergedSchema, namesIn, rulesText, typeText } from './fields.ts'
export {
  type Catalog,
  type CategoryInfo,
  catalogIndex,
  type Endpoint,
  endpointDetail,
  type IndexEntry,
  type Method,
  type Permission,
  type Reply,
  type ReplyExample,
  readCatalog,
  readProblems,
} from './model.ts'
export { type Planned, planned, plannedCategory, searchPlanned } from './planned.ts'
export { toCurl } from './samples/curl.ts'
export { type SampleKind, type SampleLanguage, sampleKinds } from './samples/kinds.ts'
export { parseCurl } from './samples/parse_curl.ts'
export { formText, headerOf, type RequestValue, sampleRequest } from './samples/request.ts'
export { type CodeSample, type SampleOptions, samplesFor } from './samples/samples.ts'
export { sdkMethod } from './samples/sdk.ts'
export { scopeFor, tokenRequest } from './samples/token_request.ts'
export { createSearch, type SearchEntry } from './search.ts'
