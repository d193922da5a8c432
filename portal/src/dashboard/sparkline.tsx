// A line without axes, drawn from a handful of figures; the words beside it say what matters.

const width = 100
const height = 28

/** @param values one a bucket, oldest first */
export function Sparkline({ values, className }: { values: readonly number[]; className?: string }) {
  if (values.length < 2) return null
  const most = Math.max(1, ...values)
  const step = width / (values.length - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
  )
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
