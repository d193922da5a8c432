#!/usr/bin/env node
// The command `tandem`: reads its arguments, runs what they name, and ends with a code that scripts can use.
import { parseArgs } from 'node:util'
import { type CommandName, commands, help } from './commands.ts'
import { CliError, exitCodes, explain } from './errors.ts'
import { listen } from './listen.ts'
import { createOutput } from './output.ts'
import { connectionOf, listenOptionsOf, type Values } from './settings.ts'
import { listTriggers, trigger } from './trigger.ts'

const [name = '', ...rest] = process.argv.slice(2)

// Who reads our output may leave first, as `head` does.
process.stdout.on('error', () => process.exit(exitCodes.ok))

process.exitCode = await run().catch(error => {
  const wantsJson = rest.includes('--json')
  const { message, code } = explain(error)
  createOutput({ json: wantsJson }).fault(message)
  return code
})

async function run(): Promise<number> {
  if (name === '' || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help(rest[0]))
    return name === '' ? exitCodes.usage : exitCodes.ok
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write('0.1.0\n')
    return exitCodes.ok
  }
  if (!(name in commands)) throw new CliError(`There is no command "${name}". See tandem --help.`, exitCodes.usage)
  const command = commands[name as CommandName]
  const { values, positionals } = readArguments(command.options)
  if (values.help === true) {
    process.stdout.write(help(name))
    return exitCodes.ok
  }
  const output = createOutput({ json: values.json === true })
  if (name === 'listen') {
    if (positionals.length > 0)
      throw new CliError(`"${positionals[0]}" is not expected here. See tandem listen --help.`, exitCodes.usage)
    const options = listenOptionsOf(values)
    return listen(connectionOf(values), options, output)
  }
  if (positionals.length > 1) throw new CliError('Name one type of event. See tandem trigger --help.', exitCodes.usage)
  if (positionals[0] === undefined) {
    listTriggers(output)
    return exitCodes.ok
  }
  await trigger(connectionOf(values), positionals[0], output)
  return exitCodes.ok
}

function readArguments(options: (typeof commands)[CommandName]['options']): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: rest, options, allowPositionals: true }) as { values: Values; positionals: string[] }
  } catch (error) {
    const text = (error as Error).message.split('. ')[0]
    throw new CliError(`${text}. See tandem ${name} --help.`, exitCodes.usage)
  }
}
