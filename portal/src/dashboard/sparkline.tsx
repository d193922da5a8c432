// A line without axes, drawn from a handful of figures; the words beside it say what matters.

const width = 100
const height = 28

/** @param values one a bucket, oldest first; nothing but the ground line when there are none */
export function Sparkline({ values, className }: { values: readonly number[]; className?: string }) {
  const shown = values.length < 2 ? [0, 0] : values
  const most = Math.max(1, ...shown)
  const step = width / (shown.length - 1)
  const line = shown
    .map((value, index) => `${(index * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`)
    .join(' ')
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="currentColor" opacity="0.12" />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
