// Preloads the two font files of the bundle, whose names are known only when it is built.
import type { Plugin } from 'vite'

export function preloadFonts(): Plugin {
  return {
    name: 'tandem-preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter(name => name.endsWith('.woff2'))
        return fonts.map(name => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}
