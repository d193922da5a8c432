// What the portal knows of imports and changes of many without loading it.
import type { ScreenEntry } from '../navigation/screen.ts'

export const imports: ScreenEntry = {
  id: 'imports',
  path: '/imports',
  setting: 'organization',
  needs: 'imports:read',
  load: () => import('./imports_screen.tsx').then(module => module.ImportsScreen),
  pages: [
    {
      id: 'import',
      path: '/imports/$id',
      load: () => import('./import_page.tsx').then(module => module.ImportPage),
    },
  ],
}
