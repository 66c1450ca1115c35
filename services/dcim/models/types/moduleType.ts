import {
  alias,
  choice,
  comments,
  counter,
  description,
  keyed,
  labels,
  model,
  owner,
  primary,
  ref,
  text,
  timestamps,
} from '@cadastre/model';
import { moduleAirflow } from '../choices/airflow.ts';
import { templateCounts, templateFilters } from '../groups/hasTemplates.ts';
import { asInLibrary } from './libraryDocuments.ts';
import { grams, weighed, weight } from '../groups/weight.ts';
import { attributes, meetsProfile } from './moduleTypeAttributes.ts';

const TEMPLATES = [
  'console_port',
  'console_server_port',
  'power_port',
  'power_outlet',
  'interface',
  'front_port',
  'rear_port',
  'module_bay',
] as const;

/** A model of modules: cards, power supplies, optics. */
export const moduleType = model('dcim.moduletype', {
  path: 'module-types',
  pages: {
    columns: ['manufacturer', 'profile', 'part_number', 'module_count', 'description'],
    groups: { Hardware: ['airflow', 'weight', 'weight_unit', 'attributes'] },
  },
  label: 'module type',
  ordering: ['profile', 'manufacturer', 'model'],
  features: [...primary, 'imageAttachments'],
  brief: ['profile', 'manufacturer', 'model', 'description', 'module_count'],
  search: ['manufacturer.name', 'model', 'part_number', 'description', 'comments'],
  display: { columns: ['model'], text: ([name]) => name ?? '' },
  imports: { called: 'model', columns: { attribute_data: alias('attributes') } },
  documents: asInLibrary('module_type'),
  fields: {
    profile: ref('dcim.moduletypeprofile', { optional: true }),
    manufacturer: ref('dcim.manufacturer'),
    model: text({ max: 100, natural: true }),
    part_number: text({ max: 50, optional: true }),
    airflow: choice(moduleAirflow, { optional: true, nullable: true, one: true }),
    ...weight(),
    ...description(),
    attributes,
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    module_count: counter('dcim.module', 'module_type'),
    ...templateCounts('module_type', TEMPLATES),
    ...grams('_abs_weight'),
  },
  filters: { ...templateFilters('module_type', TEMPLATES), attr_: keyed('attributes', 'profile.schema') },
  unique: [{ fields: ['manufacturer', 'model'] }],
  rules: [weighed, meetsProfile],
});
