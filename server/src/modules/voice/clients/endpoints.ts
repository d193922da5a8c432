// Phones in browsers over the API.
import { answer, hangup, reject } from './calls.ts'
import { start } from './start.ts'
import { openPhoneStream } from './stream.ts'
import { mint } from './tokens.ts'

export const endpoints = [mint, openPhoneStream, start, answer, reject, hangup]
