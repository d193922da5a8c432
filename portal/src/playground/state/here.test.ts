// Which addresses are the Playground's: all that the router takes for it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { isPlayground } from './here.ts'

test('the address is asked of the router, which trims it and ignores case', () => {
  const root = createRootRoute()
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const route = (path: string) => createRoute({ getParentRoute: () => shell, path })
  const alone = createRoute({ getParentRoute: () => root, path: '/playground/authorized' })
  const paths = ['/', '/playground', '/logs', '$'].map(route)
  const router = createRouter({ routeTree: root.addChildren([alone, shell.addChildren(paths)]) })
  for (const path of ['/playground', '/playground/', '/Playground', '/PLAYGROUND/']) {
    assert.ok(isPlayground(router, path), path)
  }
  for (const path of ['/', '/logs', '/playground/authorized', '/playground2', '/logs/playground']) {
    assert.ok(!isPlayground(router, path), path)
  }
})
