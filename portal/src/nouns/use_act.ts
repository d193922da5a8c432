// Something that is done at a press: a refusal is shown at the corner.
import { useMutation } from '@tanstack/react-query'
import { faultText } from '../ui/faults.ts'
import { toast } from '../ui/index.ts'

/** @param settled called when it was done, and when it was refused: somebody else may have been quicker */
export function useAct(settled: () => unknown) {
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => void settled(),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
}
