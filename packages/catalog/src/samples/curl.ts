// A request as a cURL command that sends the very same bytes: `parseCurl(toCurl(request))` is the request again.
import { quoteShell } from './quote.ts'
import { answerFile, asksForStream, headerOf, type RequestValue } from './request.ts'

/**
 * The command, one option a line.
 * @param tokenVariable name of an environment variable that is in the command instead of the bearer token
 */
export function toCurl(request: RequestValue, tokenVariable?: string): string {
  const { method, url, headers, body, file } = request
  // A NUL cannot be in a command's arguments, so such a body comes through a pipe.
  const isPiped = body?.includes('\0') === true
  const parts = [
    `curl${methodOption(method, body)}${otherOptions(request)} ${quoteShell(url)}`,
    ...headers.map(([name, value]) => `-H ${headerWord(name, value, tokenVariable)}`),
    // Left to itself, curl would call every body a form.
    ...((body ?? file) !== undefined && headerOf(request, 'content-type') === undefined ? ["-H 'Content-Type:'"] : []),
    ...(body === undefined ? [] : [isPiped ? '--data-binary @-' : `--data-raw ${quoteShell(body)}`]),
    ...(file === undefined ? [] : [`--data-binary ${quoteShell(`@${file}`)}`]),
  ]
  const command = parts.join(' \\\n  ')
  return isPiped ? `printf ${printfFormat(body)} | ${command}` : command
}

function methodOption(method: string, body: string | undefined): string {
  if (method === 'GET' && body === undefined) return ''
  if (method === 'HEAD' && body === undefined) return ' --head'
  return ` -X ${/^[\w-]+$/.test(method) ? method : quoteShell(method)}`
}

function otherOptions(request: RequestValue): string {
  // Brackets and braces in an address are patterns to curl unless stated otherwise.
  const globoff = /[[\]{}]/.test(request.url) ? ' --globoff' : ''
  const file = answerFile(request)
  const output = file === undefined ? '' : ` --output ${file}`
  return `${globoff}${asksForStream(request) ? ' --no-buffer' : ''}${output}`
}

function headerWord(name: string, value: string, tokenVariable: string | undefined): string {
  if (tokenVariable !== undefined && name.toLowerCase() === 'authorization' && /^Bearer /i.test(value)) {
    return `"${name}: Bearer $${tokenVariable}"`
  }
  // `Name:` would leave the header out; `Name;` sends it empty.
  return quoteShell(value === '' ? `${name};` : `${name}: ${value}`)
}

function printfFormat(text: string): string {
  return quoteShell(text.replaceAll(/[\\%\0]/g, char => (char === '\\' ? '\\\\' : char === '%' ? '%%' : '\\000')))
}
