// The shared inbox over HTTP.
import { endpoints as changes } from './change_endpoints.ts'
import { endpoints as presence } from './presence_endpoints.ts'
import { endpoints as reading } from './read_endpoints.ts'
import { endpoints as replies } from './reply_endpoints.ts'

export const endpoints = [...reading, ...changes, ...replies, ...presence]
