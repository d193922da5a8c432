// The whole of it: data, routes, notices. Where the session ends or begins, the routes are checked again.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIdleProblemWords } from '../problems/said.ts'
import { queryClient } from '../session/api.ts'
import { useSessionState } from '../session/session.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { router } from './router.tsx'

export function App() {
  const { status } = useSessionState()
  useIdleProblemWords(status !== 'starting')
  useEffect(() => {
    if (status === 'out') queryClient.clear()
    if (status !== 'starting') void router.invalidate()
  }, [status])
  if (status === 'starting') return null
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  )
}
