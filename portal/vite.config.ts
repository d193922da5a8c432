// How the portal is built: a few files a screen, the catalog compiled to data, and a nonce placeholder that the server replaces
// in every page it serves.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogPlugin } from './vite/catalog.ts'
import { directImports } from './vite/direct_imports.ts'
import { packGroups } from './vite/packs.ts'
import { precompress } from './vite/precompress.ts'
import { preloadFonts } from './vite/preload_fonts.ts'
import { wordsPlugin } from './vite/words.ts'

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  root: import.meta.dirname,
  plugins: [directImports(), react(), catalogPlugin(), wordsPlugin(), preloadFonts(), precompress()],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // No record type can be called so: the address of its list stays free.
    assetsDir: '_built',
    assetsInlineLimit: 0,
    // All looks come with the page: one that lacks a screen's own could otherwise be shown, and Vite never asks twice.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    // CodeMirror's commands import a parser library of which they use nothing.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /@lezer.common/, sideEffects: false }] },
      output: { codeSplitting: { groups: packGroups() } },
    },
  },
})
