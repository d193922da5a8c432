// The icon of a screen, fetched when the first one is shown.
import { Suspense } from 'react'
import { lazyPart } from '../ui/lazy_part.tsx'

const Icon = lazyPart(() => import('./screen_icons.tsx').then(module => module.ScreenIcon))

/** Its place is kept until it is there. */
export function ScreenIcon({ id, size }: { id: string; size: number }) {
  return (
    <span style={{ display: 'inline-grid', width: size, height: size }}>
      <Suspense fallback={null}>
        <Icon id={id} size={size} />
      </Suspense>
    </span>
  )
}
