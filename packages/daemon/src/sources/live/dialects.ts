/** Every dialect by name. */
import type { Dialect } from './dialect.ts'
import { amazonBedrock } from './dialects/amazon-bedrock.ts'
import { anthropic } from './dialects/anthropic.ts'
import { azureOpenai } from './dialects/azure-openai.ts'
import { google } from './dialects/google.ts'
import { llamaCpp } from './dialects/llama-cpp.ts'
import { lmStudio } from './dialects/lm-studio.ts'
import { mistral } from './dialects/mistral.ts'
import { ollama } from './dialects/ollama.ts'
import { openai } from './dialects/openai.ts'
import { openaiCompatible } from './dialects/openai-compatible.ts'
import { cerebras, deepseek, fireworks, groq, minimax, moonshot, vercel, zai } from './dialects/openai-shaped.ts'
import { openrouter } from './dialects/openrouter.ts'
import { together } from './dialects/together.ts'
import { xai } from './dialects/xai.ts'

export const DIALECTS = {
  openai,
  anthropic,
  google,
  openrouter,
  vercel,
  mistral,
  groq,
  xai,
  deepseek,
  together,
  fireworks,
  cerebras,
  zai,
  moonshot,
  minimax,
  'azure-openai': azureOpenai,
  'amazon-bedrock': amazonBedrock,
  'openai-compatible': openaiCompatible,
  ollama,
  'llama.cpp': llamaCpp,
  'lm-studio': lmStudio,
} as const satisfies Readonly<Record<string, Dialect>>

export type DialectName = keyof typeof DIALECTS
