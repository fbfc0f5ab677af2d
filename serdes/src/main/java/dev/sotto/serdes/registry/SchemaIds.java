package dev.sotto.serdes.registry;

import dev.sotto.learner.settings.Domain;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/** What the ids of schemas mean that records have before their bodies, or in headers. */
public enum SchemaIds {
  /** Records have none. */
  NONE,
  /** Numbers of 4 bytes, or GUIDs, of a registry with Confluent's paths. */
  CONFLUENT,
  /** Before a body stands Apicurio's {@code globalId}, in 8 or 4 bytes. */
  APICURIO_GLOBAL,
  /** Before a body stands Apicurio's {@code contentId}, in 8 or 4 bytes. */
  APICURIO_CONTENT;

  /** How settings name those that there can be, and descriptions of how events are read. */
  public static final Domain<SchemaIds> DOMAIN = Domain.choice(
      new SchemaIds[] {CONFLUENT, APICURIO_GLOBAL, APICURIO_CONTENT}, SchemaIds::word);

  /** Its name in settings. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Those that a description names as one of its words; {@link #CONFLUENT} where it names none. */
  public static SchemaIds namedIn(String description) {
    return Arrays.stream(description.split("\\s"))
        .flatMap(word -> Arrays.stream(values()).filter(each -> each.word().equals(word)))
        .filter(each -> each.areApicurios())
        .findFirst()
        .orElse(CONFLUENT);
  }

  /** Whether they are asked for by Apicurio's own paths. */
  public boolean areApicurios() {
    return this == APICURIO_GLOBAL || this == APICURIO_CONTENT;
  }

  /** A value with the id before it that a header names, as {@link SchemaHeaders} says. */
  public byte[] framed(Function<String, byte[]> headers, byte[] value) {
    return this == NONE ? value : SchemaHeaders.framed(this, headers, value);
  }

  /** What a number before a body is. */
  public SchemaId.By number() {
    return switch (this) {
      case APICURIO_GLOBAL -> SchemaId.By.GLOBAL_ID;
      case APICURIO_CONTENT -> SchemaId.By.CONTENT_ID;
      default -> SchemaId.By.ID;
    };
  }

  /** What a number is that stands before a body out of the other one of Apicurio's headers. */
  SchemaId.By other() {
    return this == APICURIO_GLOBAL ? SchemaId.By.CONTENT_ID : SchemaId.By.GLOBAL_ID;
  }
}
