package dev.sotto.serdes.registry;

import java.util.UUID;

/**
 * What a record names its writer's schema by: a number that one registry gave out, or the schema's
 * GUID, which is the same in every registry.
 *
 * @param number 0 where there is a GUID
 * @param guid null where there is a number
 */
public record SchemaId(int number, UUID guid) {
  public SchemaId {
    if (guid != null && number != 0) {
      throw new IllegalArgumentException("an id must be a number or a GUID, but was both");
    }
  }

  /** A number. */
  public static SchemaId of(int number) {
    return new SchemaId(number, null);
  }

  /** A GUID. */
  public static SchemaId of(UUID guid) {
    return new SchemaId(0, guid);
  }

  /** Where a registry is asked for it, below {@code /schemas/}. */
  public String path() {
    return guid == null ? "ids/" + number : "guids/" + guid;
  }

  @Override
  public String toString() {
    return guid == null ? Integer.toString(number) : guid.toString();
  }
}
