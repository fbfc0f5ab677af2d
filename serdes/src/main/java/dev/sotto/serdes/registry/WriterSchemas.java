package dev.sotto.serdes.registry;

import org.apache.avro.Schema;

/**
 * The schemas of writers by their ids in a registry. What belongs to an id never changes, so that a
 * record means the same at every reading. May be used by many threads.
 */
@FunctionalInterface
public interface WriterSchemas {
  /**
   * The schema of an id. May wait, and throws whatever it likes where the answer is not known: then
   * nothing has been decided about the record.
   *
   * @return null where the registry has said that there is no Avro schema of this id
   */
  Schema schema(int id);

  /**
   * The same of an id of either kind.
   *
   * @return null also where GUIDs are not known at all
   */
  default Schema schema(SchemaId id) {
    return id.guid() == null ? schema(id.number()) : null;
  }
}
