import type { ServerResponse } from 'node:http'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

/** Unsent bytes after which a client that does not read is dropped. */
const BACKLOG_MAX_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000

/** `GET /api/events`: what is logged, as it happens. Returns a function that ends all streams. */
export function eventsRoute(router: Router, services: Services): () => void {
  const streams = new Set<ServerResponse>()
  router.add(
    {
      method: 'get',
      path: '/api/events',
      tag: 'Events',
      summary: 'Everything that happens, as server-sent events',
      answer: 'text/event-stream',
    },
    () => ({
      kind: 'stream',
      start: (incoming, outgoing) => {
        outgoing.writeHead(200, {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        })
        if (incoming.method === 'HEAD') {
          outgoing.end()
          return
        }
        const write = (text: string) => {
          outgoing.write(text)
          if (outgoing.writableLength > BACKLOG_MAX_BYTES) outgoing.destroy()
        }
        // Tells the client that it will miss nothing from here on.
        write(': listening\n\n')
        const unsubscribe = services.telemetry.subscribe((record, line) =>
          write(`event: ${record.event}\ndata: ${line}\n\n`),
        )
        const heartbeat = setInterval(() => write(': \n\n'), HEARTBEAT_MS)
        streams.add(outgoing)
        outgoing.on('close', () => {
          unsubscribe()
          clearInterval(heartbeat)
          streams.delete(outgoing)
        })
      },
    }),
  )
  return () => {
    for (const stream of streams) stream.end()
  }
}
