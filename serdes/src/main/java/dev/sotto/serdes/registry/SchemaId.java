package dev.sotto.serdes.registry;

import java.util.UUID;

/**
 * What a record names its writer's schema by: a number that one registry gave out, or the schema's
 * GUID, which is the same in every registry.
 *
 * @param by what it is
 * @param number 0 where it is a GUID
 * @param guid null where it is a number
 */
public record SchemaId(By by, int number, UUID guid) {
  /** What an id is, with its name in files, and where a registry is asked for it. */
  public enum By {
    /** A number, by Confluent's paths. */
    ID("id", "/schemas/ids/"),
    /** A GUID, by the same. */
    GUID("guid", "/schemas/guids/"),
    /** Apicurio's number of one version of an artifact, by its own paths. */
    GLOBAL_ID("globalId", "/ids/globalIds/"),
    /** Apicurio's number of what several versions may hold, by its own paths. */
    CONTENT_ID("contentId", "/ids/contentIds/");

    private final String word;
    private final String path;

    By(String word, String path) {
      this.word = word;
      this.path = path;
    }

    /** Its name in files of schemas. */
    public String word() {
      return word;
    }
  }

  public SchemaId {
    if ((by == By.GUID) != (guid != null) || guid != null && number != 0) {
      throw new IllegalArgumentException("an id must be a number or a GUID, but was " + number
          + (guid == null ? " alone" : " and a GUID"));
    }
  }

  /** A number by Confluent's paths. */
  public static SchemaId of(int number) {
    return of(By.ID, number);
  }

  /** A number. */
  public static SchemaId of(By by, int number) {
    return new SchemaId(by, number, null);
  }

  /** A GUID. */
  public static SchemaId of(UUID guid) {
    return new SchemaId(By.GUID, 0, guid);
  }

  /** Whether Apicurio's own paths have it. */
  public boolean isApicurios() {
    return by == By.GLOBAL_ID || by == By.CONTENT_ID;
  }

  /** Where a registry is asked for it, below its address. */
  public String path() {
    return by.path + (guid == null ? Integer.toString(number) : guid.toString());
  }

  @Override
  public String toString() {
    return (isApicurios() ? by.word + " " : "")
        + (guid == null ? Integer.toString(number) : guid.toString());
  }
}
