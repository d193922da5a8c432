// The program as one file, with what it uses of the SDK in it: it is installed by itself, and depends on nothing.
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'tandem.js' } },
  },
  ssr: { noExternal: true, resolve: { conditions: ['source'] } },
})
