// What people are sent about their API keys.
import { notice } from '../notices/index.ts'

export const keyMadeNotice = notice({
  key: 'api_key_made',
  about: 'To somebody of whom an API key for live mode was made.',
  subject: 'A live API key of yours was made',
  what: 'an API key for live mode was made that acts as you: {{ detail }}.',
  detail: 'Website, ending in x7Qa',
})
