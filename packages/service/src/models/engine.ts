import type { Catalogue, Seal } from '@cadastre/model';
import { Engine, type EngineOptions, type EngineSettings, type Render } from '@cadastre/rest';
import { environmentOf, type Renderer } from '@cadastre/templates';
import { poolMb } from '@cadastre/templates/memory';
import type { Pool } from 'pg';
import type { Config } from '../settings/config.ts';
import type { MemoryNeed } from '../host/memory.ts';
import type { ServiceContext } from '../host/service.ts';
import { openMedia } from './media/open.ts';
import type { ModelServiceOptions } from './options.ts';

export interface EngineParts extends Pick<EngineOptions, 'peers' | 'neighbours' | 'wakeRelay' | 'caughtUp'> {
  context: Pick<ServiceContext, 'name' | 'config' | 'log' | 'renderer'>;
  options: Pick<ModelServiceOptions, 'facilities' | 'baseChoices'>;
  catalogue: Catalogue;
  pool: Pool;
  seal: Seal | undefined;
}

/** The engine of a service, as its settings want it. */
export function engineOf({ context, options, catalogue, pool, seal, ...parts }: EngineParts): Engine {
  const { name, config, log, renderer } = context;
  return new Engine({
    ...parts,
    catalogue,
    service: name,
    pool,
    facilities: options.facilities?.(config, catalogue, seal, log) ?? {},
    settings: {
      ...longWork(config),
      paginateCount: config.paginateCount,
      maxPageSize: config.maxPageSize,
      maxParameters: config.queryMaxParameters,
      maxRegexLength: config.maxRegexLength,
      maxBulkItems: config.maxBulkItems,
      importApi: config.importApi,
      maxExportRows: config.exportMaxRows,
      creates: { maxSize: config.createGroupSize, maxWaitMs: config.createGroupWaitMs },
      maxRelatedObjects: config.templateMaxRelated,
      maxFileBytes: config.mediaMaxBytes,
      cacheEntries: config.briefCacheEntries,
      rowTextBytes: config.rowCacheMb * 2 ** 20,
    },
    render: exporting(renderer(exportLimits(config))),
    ...(seal ? { seal } : {}),
    ...(hasFiles(catalogue, name) ? { media: openMedia(config) } : {}),
    ...(options.baseChoices ? { baseChoices: options.baseChoices } : {}),
  });
}

const hasFiles = (catalogue: Catalogue, name: string): boolean =>
  catalogue.ownedBy(name).some((model) => Object.values(model.fields).some((field) => field.upload));

/** Limits on how many long-running operations run, and wait, at the same time. */
const longWork = (config: Config): Pick<EngineSettings, 'regex' | 'exports'> => ({
  regex: {
    maxSize: config.maxRegexSize,
    timeoutMs: config.regexTimeoutMs,
    running: config.regexConcurrency,
    runningPerUser: config.regexConcurrencyPerUser,
    waiting: config.regexQueue,
    waitingPerUser: config.regexQueuePerUser,
    waitMs: config.regexWaitMs,
  },
  exports: {
    fromRows: config.exportFromRows,
    running: config.exportConcurrency,
    runningPerUser: config.exportConcurrencyPerUser,
    waiting: config.exportQueue,
    waitingPerUser: config.exportQueuePerUser,
    waitMs: config.exportWaitMs,
  },
});

/** Export templates get whole lists, so they may take longer than others. */
const exportLimits = (config: Config) => ({
  size: config.exportConcurrency,
  timeoutMs: config.exportTimeoutMs,
  memoryMb: config.exportMemoryMb,
  maxOutput: config.exportMaxBytes,
});

/** All services of a process share these workers. */
export const exportMemory = (config: Config): MemoryNeed => ({
  what: 'processes for export templates',
  mb: poolMb(exportLimits(config)),
});

const exporting =
  (renderer: Renderer): Render =>
  async (template, context, environment, models, gone) =>
    models === undefined
      ? { text: (await renderer.render({ template }, context, environmentOf(environment), gone)).template }
      : renderer.explore(template, context, models, environmentOf(environment), gone);
