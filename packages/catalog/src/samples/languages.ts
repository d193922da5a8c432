// Source code that sends a request, in the languages people use, with what each brings along where it can. All are made
// from the same value as the cURL command; a header sent twice becomes one with commas where a language holds them in a map.
import { literal } from './literals.ts'
import {
  quoteCsharp,
  quoteGo,
  quoteJava,
  quoteJs,
  quoteKotlin,
  quotePhp,
  quotePowerShell,
  quotePython,
  quoteRuby,
  quoteRust,
} from './quote.ts'
import { answerFile, asksForStream, exactJson, headerOf, type RequestValue } from './request.ts'

/** What a language needs to write a request: `token` is the variable that stands for the bearer token, when one does. */
export type Writer = (request: RequestValue, token: string | undefined) => string

/** Headers as literals; the one that holds the token as the expression `bearer` makes of its variable. */
function headerLines(
  { headers }: RequestValue,
  token: string | undefined,
  quote: (text: string) => string,
  bearer: (variable: string) => string,
): [name: string, value: string][] {
  return headers.map(([name, value]) => {
    const isToken = token !== undefined && name.toLowerCase() === 'authorization' && /^Bearer /i.test(value)
    return [quote(name), isToken ? bearer(token) : quote(value)]
  })
}

/** One header a name, as RFC 9110 §5.3 lets lists be joined. */
function merged(request: RequestValue): RequestValue {
  const byName = new Map<string, [string, string]>()
  for (const [name, value] of request.headers) {
    const before = byName.get(name.toLowerCase())
    byName.set(name.toLowerCase(), before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`])
  }
  return { ...request, headers: [...byName.values()] }
}

const without = (request: RequestValue, ...names: string[]): RequestValue => ({
  ...request,
  headers: request.headers.filter(([name]) => !names.includes(name.toLowerCase())),
})

const indented = (lines: string[], margin: string) => lines.map(line => `${margin}${line}\n`).join('')

export const javascript: Writer = (request, token) => {
  const { method, url, body, headers } = merged(request)
  const json = exactJson(body)
  const fields = [
    ...(method === 'GET' ? [] : [`method: ${quoteJs(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          'headers: {',
          ...headerLines(merged(request), token, quoteJs, name => `\`Bearer \${process.env.${name}}\``).map(
            // Written as a plain key, it would set the prototype instead.
            ([name, value]) => `  ${name === quoteJs('__proto__') ? `[${name}]` : name}: ${value},`,
          ),
          '},',
        ]),
    ...(body === undefined
      ? []
      : [`body: ${json === undefined ? quoteJs(body) : `JSON.stringify(${literal(json.value, 'js', '  ')})`},`]),
  ]
  const options = fields.length === 0 ? '' : `, {\n${indented(fields, '  ')}}`
  const file = answerFile(request)
  const read = asksForStream(request)
    ? `for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text)`
    : file === undefined
      ? 'console.log(response.status, await response.json())'
      : `console.log(response.status)\nawait writeFile(${quoteJs(file)}, response.body)`
  const imports = file === undefined ? '' : "import { writeFile } from 'node:fs/promises'\n\n"
  return `${imports}const response = await fetch(${quoteJs(url)}${options})
${read}
`
}

export const python: Writer = (request, token) => {
  const { method, url, body, headers } = merged(request)
  const json = exactJson(body)
  const lines = headerLines(merged(request), token, quotePython, name => `f"Bearer {os.environ['${name}']}"`)
  const usesVariable = token !== undefined && lines.some(([, value]) => value.startsWith('f"'))
  const file = answerFile(request)
  const isStream = asksForStream(request)
  const fields = [
    `${quotePython(method)},`,
    `${quotePython(url)},`,
    ...(headers.length === 0 ? [] : ['headers={', ...lines.map(([name, value]) => `    ${name}: ${value},`), '},']),
    ...(body === undefined
      ? []
      : [json === undefined ? `data=${quotePython(body)}.encode(),` : pythonJson(json.value)]),
    ...(isStream ? ['stream=True,'] : []),
  ]
  const read = isStream
    ? 'for line in response.iter_lines(decode_unicode=True):\n    print(line)'
    : file === undefined
      ? 'print(response.status_code, response.text)'
      : `print(response.status_code)\nwith open(${quotePython(file)}, 'wb') as file:\n    file.write(response.content)`
  return `${usesVariable ? 'import os\n' : ''}import requests

response = requests.request(
${indented(fields, '    ')})
${read}
`
}

const pythonJson = (value: unknown) => `json=${literal(value, 'python', '    ')},`

export const go: Writer = (request, token) => {
  const { method, url, body } = request
  const lines = headerLines(request, token, quoteGo, name => `"Bearer "+os.Getenv(${quoteGo(name)})`)
  const usesVariable = lines.some(([, value]) => value.includes('os.Getenv('))
  const isStream = asksForStream(request)
  const file = answerFile(request)
  const imports = [
    ...(isStream ? [] : ['fmt']),
    ...['io', 'net/http'],
    ...(usesVariable || isStream || file !== undefined ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ]
  const read = isStream
    ? '\t_, err = io.Copy(os.Stdout, response.Body)\n'
    : file === undefined
      ? '\ttext, err := io.ReadAll(response.Body)\n'
      : `\tfile, err := os.Create(${quoteGo(file)})
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer file.Close()
\t_, err = io.Copy(file, response.Body)
`
  const reader = body === undefined ? 'nil' : `strings.NewReader(${quoteGo(body)})`
  return `package main

import (
${imports.map(name => `\t"${name}"\n`).join('')})

func main() {
\trequest, err := http.NewRequest(${quoteGo(method)}, ${quoteGo(url)}, ${reader})
\tif err != nil {
\t\tpanic(err)
\t}
${lines.map(([name, value]) => `\trequest.Header.Add(${name}, ${value})\n`).join('')}\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer response.Body.Close()
${read}\tif err != nil {
\t\tpanic(err)
\t}
${isStream ? '' : `\tfmt.Println(response.StatusCode${file === undefined ? ', string(text)' : ''})\n`}}
`
}

export const php: Writer = (request, token) => {
  const { method, url, body } = request
  const json = exactJson(body)
  const lines = request.headers.map(([name, value]) => {
    const isToken = token !== undefined && name.toLowerCase() === 'authorization' && /^Bearer /i.test(value)
    return isToken ? `${quotePhp(`${name}: Bearer `)} . getenv(${quotePhp(token)})` : quotePhp(`${name}: ${value}`)
  })
  const isStream = asksForStream(request)
  const fields = [
    // Without it the answer is printed as it comes.
    ...(isStream ? [] : ['CURLOPT_RETURNTRANSFER => true,']),
    `CURLOPT_CUSTOMREQUEST => ${quotePhp(method)},`,
    ...(lines.length === 0 ? [] : ['CURLOPT_HTTPHEADER => [', ...lines.map(line => `    ${line},`), '],']),
    ...(body === undefined
      ? []
      : [`CURLOPT_POSTFIELDS => ${json === undefined ? quotePhp(body) : phpJson(json.value)},`]),
  ]
  return `<?php
$request = curl_init(${quotePhp(url)});
curl_setopt_array($request, [
${indented(fields, '    ')}]);
${isStream ? 'curl_exec($request);' : phpWhole(answerFile(request))}
`
}

function phpWhole(file: string | undefined): string {
  const status = 'curl_getinfo($request, CURLINFO_RESPONSE_CODE)'
  const read = '$body = curl_exec($request);\n'
  if (file === undefined) return `${read}echo ${status}, ' ', $body, PHP_EOL;`
  return `${read}echo ${status}, PHP_EOL;\nfile_put_contents(${quotePhp(file)}, $body);`
}

/** PHP has one kind of array: what json_encode would make a list of, though it is an object, is sent as text. */
function phpJson(value: unknown): string {
  const text = JSON.stringify(value)
  return holdsListLike(value) ? quotePhp(text) : `json_encode(${literal(value, 'php', '    ')})`
}

/** Whether there is an object that is empty, or has the keys 0, 1, 2 and so on. */
function holdsListLike(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isListLike = !Array.isArray(value) && Object.keys(value).every((key, place) => key === String(place))
  return isListLike || Object.values(value).some(holdsListLike)
}

export const ruby: Writer = (request, token) => {
  const { method, url, body } = merged(request)
  const json = exactJson(body)
  const lines = headerLines(merged(request), token, quoteRuby, name => `"Bearer #{ENV.fetch(${quoteRuby(name)})}"`)
  return `require 'json'
require 'net/http'

uri = URI(${quoteRuby(url)})
request = Net::HTTP::${method.charAt(0).toUpperCase()}${method.slice(1).toLowerCase()}.new(uri)
${lines.map(([name, value]) => `request[${name}] = ${value}\n`).join('')}${
  body === undefined
    ? ''
    : `request.body = ${json === undefined ? quoteRuby(body) : `${literal(json.value, 'ruby')}.to_json`}\n`
}${asksForStream(request) ? rubyStream : rubyWhole(answerFile(request))}`
}

const rubyStart = "Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https')"
const rubyWhole = (file: string | undefined) => `response = ${rubyStart} { |http| http.request(request) }
${file === undefined ? 'puts response.code, response.body' : `puts response.code\nFile.binwrite(${quoteRuby(file)}, response.body)`}
`
const rubyStream = `${rubyStart} do |http|
  http.request(request) { |response| response.read_body { |text| print text } }
end
`

function javaHandler(request: RequestValue): string {
  const file = answerFile(request)
  if (file !== undefined) return `ofFile(java.nio.file.Path.of(${quoteJava(file)}))`
  return asksForStream(request) ? 'ofLines()' : 'ofString()'
}

// The Java client sets these itself and refuses them from outside.
const javaOwn = ['connection', 'content-length', 'expect', 'host', 'upgrade']

export const java: Writer = (request, token) => {
  const { method, url, body } = request
  const bearer = (name: string) => `"Bearer " + System.getenv(${quoteJava(name)})`
  const lines = headerLines(without(request, ...javaOwn), token, quoteJava, bearer)
  const publisher = body === undefined ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${quoteJava(body)})`
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${quoteJava(url)}))
${lines.map(([name, value]) => `            .header(${name}, ${value})\n`).join('')}            .method(${quoteJava(method)}, ${publisher})
            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.${javaHandler(request)});
        ${asksForStream(request) ? 'response.body().forEach(System.out::println);' : 'System.out.println(response.statusCode() + " " + response.body());'}
    }
}
`
}

const csharpWhole = (file: string | undefined) => `var response = await client.SendAsync(request);
${
  file === undefined
    ? 'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");'
    : `Console.WriteLine((int)response.StatusCode);
await using var file = File.Create(${quoteCsharp(file)});
await response.Content.CopyToAsync(file);`
}
`
const csharpStream = `var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
using var reader = new StreamReader(await response.Content.ReadAsStreamAsync());
while (await reader.ReadLineAsync() is { } line) Console.WriteLine(line);
`

export const csharp: Writer = (request, token) => {
  const { method, url, body } = request
  const bearer = (name: string) => `"Bearer " + Environment.GetEnvironmentVariable(${quoteCsharp(name)})`
  const lines = headerLines(without(request, 'content-type', 'content-length'), token, quoteCsharp, bearer)
  const mediaType = (headerOf(request, 'content-type') ?? 'text/plain').split(';')[0]?.trim() ?? ''
  const content = `request.Content = new StringContent(${quoteCsharp(body ?? '')}, null, ${quoteCsharp(mediaType)});\n`
  return `using var client = new HttpClient();
var request = new HttpRequestMessage(new HttpMethod(${quoteCsharp(method)}), ${quoteCsharp(url)});
${lines.map(([name, value]) => `request.Headers.TryAddWithoutValidation(${name}, ${value});\n`).join('')}${
  body === undefined ? '' : content
}${asksForStream(request) ? csharpStream : csharpWhole(answerFile(request))}`
}

const kotlinPrint = 'println("$' + '{response.statusCode()} $' + '{response.body()}")'

export const kotlin: Writer = (request, token) => {
  const { method, url, body } = request
  const bearer = (name: string) => `"Bearer " + System.getenv(${quoteKotlin(name)})`
  const lines = headerLines(without(request, ...javaOwn), token, quoteKotlin, bearer)
  const publisher = body === undefined ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${quoteKotlin(body)})`
  return `import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers

fun main() {
    val request = HttpRequest.newBuilder(URI.create(${quoteKotlin(url)}))
${lines.map(([name, value]) => `        .header(${name}, ${value})\n`).join('')}        .method(${quoteKotlin(method)}, ${publisher})
        .build()
    val response = HttpClient.newHttpClient().send(request, BodyHandlers.${javaHandler(request)})
    ${asksForStream(request) ? 'response.body().forEach(::println)' : kotlinPrint}
}
`
}

export const rust: Writer = (request, token) => {
  const { method, url, body } = request
  const file = answerFile(request)
  const isStream = asksForStream(request) || file !== undefined
  const target = file === undefined ? 'std::io::stdout()' : `std::fs::File::create(${quoteRust(file)})?`
  // Left to itself, the client ends every answer after 30 seconds.
  const client = isStream ? 'builder().timeout(None).build()?' : 'new()'
  const bearer = (name: string) => `format!("Bearer {}", std::env::var(${quoteRust(name)})?)`
  const calls = [
    `.request(reqwest::Method::from_bytes(b${quoteRust(method)})?, ${quoteRust(url)})`,
    ...headerLines(request, token, quoteRust, bearer).map(([name, value]) => `.header(${name}, ${value})`),
    ...(body === undefined ? [] : [`.body(${quoteRust(body)})`]),
    '.send()?;',
  ]
  return `// Cargo.toml: reqwest = { version = "0.12", features = ["blocking"] }
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ${isStream ? 'mut ' : ''}response = reqwest::blocking::Client::${client}
${indented(calls, '        ')}    ${isStream ? `std::io::copy(&mut response, &mut ${target})?;` : 'println!("{} {}", response.status().as_u16(), response.text()?);'}
    Ok(())
}
`
}

export const powershell: Writer = (request, token) => {
  const { method, url, body, headers } = merged(request)
  const contentType = headerOf(request, 'content-type')
  const kept = without(merged(request), 'content-type')
  const file = answerFile(request)
  const lines = headerLines(kept, token, quotePowerShell, name => `"Bearer $env:${name}"`)
  const options = [
    `Method = ${quotePowerShell(method)}`,
    `Uri = ${quotePowerShell(url)}`,
    ...(lines.length === 0 ? [] : ['Headers = @{', ...lines.map(([name, value]) => `  ${name} = ${value}`), '}']),
    ...(contentType === undefined || headers.length === 0 ? [] : [`ContentType = ${quotePowerShell(contentType)}`]),
    ...(file === undefined ? [] : [`OutFile = ${quotePowerShell(file)}`]),
    ...(body === undefined ? [] : [`Body = [Text.Encoding]::UTF8.GetBytes(${quotePowerShell(body)})`]),
  ]
  return `$request = @{
${indented(options, '  ')}}
Invoke-RestMethod @request
`
}
