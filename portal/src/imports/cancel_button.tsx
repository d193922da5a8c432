// A button that ends an import or a batch; what is refused stands beside it.
import { useMutation } from '@tanstack/react-query'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote } from '../ui/index.ts'

export type CancelButtonProps<Result> = {
  label: string
  cancel(): Promise<Result>
  onDone?(result: Result): void
  /** Done or refused. */
  onSettled?(): void
}

export function CancelButton<Result>({ label, cancel, onDone, onSettled }: CancelButtonProps<Result>) {
  const act = useMutation({
    mutationFn: cancel,
    onSuccess: result => onDone?.(result),
    onSettled: () => onSettled?.(),
  })
  return (
    <>
      {act.error !== null && <ErrorNote text={faultText(act.error)} />}
      <Button busy={act.isPending} onClick={() => act.mutate()}>
        {label}
      </Button>
    </>
  )
}
