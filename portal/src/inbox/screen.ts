// What the portal knows of Inbox without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const inbox: ScreenEntry = {
  id: 'inbox',
  path: '/inbox',
  entries: ['inbox'],
  key: 'g',
  needs: 'conversations:read',
  load: () => import('./inbox_screen.tsx').then(module => module.InboxScreen),
  pages: [{ id: 'conversation', path: '/inbox/$id', within: true }],
}
