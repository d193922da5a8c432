// What the build puts around each `import()` of the portal: the texts of what is fetched come with it, and before it is drawn.
import { fetchFile } from './files.ts'
import { currentLanguage, wordsReady } from './language.ts'

/**
 * @param files of texts that what is loaded will say, so that they are fetched beside it
 * @throws Error when a file does not come
 */
export async function withWords<Module>(files: string, load: () => Promise<Module>): Promise<Module> {
  for (const file of files.split(' ').filter(Boolean)) fetchFile(currentLanguage(), file).catch(() => undefined)
  const module = await load()
  await wordsReady()
  return module
}
