// Threads that hash passwords, one piece of work each at a time: begun when they are first needed, gone when nobody logs in for a while.
import { Worker } from 'node:worker_threads'
import type { Answered, Asked } from './hashing_worker.ts'

/** A thread takes some megabytes. */
const idleMs = 60_000

type Thread = { worker: Worker; timer: NodeJS.Timeout | undefined }
const idle: Thread[] = []

/** @param asked no more at once than there are to be threads */
export async function hashInThread(asked: Asked): Promise<string | boolean> {
  const thread = idle.pop() ?? begin()
  clearTimeout(thread.timer)
  thread.worker.ref()
  const answered = await answerOf(thread.worker, asked)
  rest(thread)
  if ('fault' in answered) throw new Error(answered.fault)
  return answered.value
}

function begin(): Thread {
  return { worker: new Worker(new URL('./hashing_worker.ts', import.meta.url)), timer: undefined }
}

/** @throws what ended the thread, which is used no more then */
function answerOf(worker: Worker, asked: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const ended = (code: number) => reject(new Error(`the thread that hashes passwords ended with ${code}`))
    const heard = (answered: Answered) => {
      // In watch mode Node itself reports to the thread's parent which files it has loaded.
      if (!('value' in answered || 'fault' in answered)) return
      worker.off('error', reject).off('exit', ended).off('message', heard)
      resolve(answered)
    }
    worker.on('message', heard).once('error', reject).once('exit', ended)
    worker.postMessage(asked)
  })
}

function rest(thread: Thread): void {
  thread.worker.unref()
  idle.push(thread)
  thread.timer = setTimeout(() => {
    idle.splice(idle.indexOf(thread), 1)
    void thread.worker.terminate()
  }, idleMs)
  thread.timer.unref()
}
