// The texts of the portal for tests without a browser: every folder's, in both languages, as a build would compile them.
import { keepTexts, type Language } from '../src/words/files.ts'
import { compileTexts, readMessages } from '../vite/words.ts'

for (const file of await readMessages()) keepTexts(file.language as Language, file.folder, compileTexts(file))
