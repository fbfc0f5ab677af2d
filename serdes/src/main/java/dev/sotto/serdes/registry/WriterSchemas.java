package dev.sotto.serdes.registry;

import dev.sotto.serdes.schema.WriterSchema;

/**
 * The schemas of writers by their ids in a registry. A schema that belongs to an id belongs to it
 * for ever; that there is none yet is true of one record only. May be used by many threads.
 */
@FunctionalInterface
public interface WriterSchemas {
  /**
   * The schema of an id. May wait, and throws whatever it likes where the answer is not known: then
   * nothing has been decided about the record.
   *
   * @return null where there is no usable schema of this id now; it is asked again for the
   *     next record that names it
   */
  WriterSchema schema(int id);

  /**
   * The same of an id of either kind.
   *
   * @return null also where only numbers by Confluent's paths are known
   */
  default WriterSchema schema(SchemaId id) {
    return id.by() == SchemaId.By.ID ? schema(id.number()) : null;
  }

  /** The same for the record at a place, which may be remembered where there is none. */
  default WriterSchema schema(SchemaId id, RecordPlace place) {
    return schema(id);
  }

  /**
   * Whether the record at a place had no schema when it was read before: then it never gets one.
   */
  default boolean isSetAside(RecordPlace place) {
    return false;
  }

  /** Says that the reader of a record cannot use the schema of its id, and why, as a sentence. */
  default void unusable(SchemaId id, String fault) {}
}
