package dev.sotto.learner.accounting;

import java.util.Arrays;
import java.util.Optional;

/** Whose contribution a guarantee hides (docs/privacy.md, "Units and neighbouring logs"). */
public enum PrivacyUnit {
  /** One record, or all records that carry one record id where an id is configured. */
  RECORD("record", "one record of the stream"),
  /** Everything that carries one unit id: a user, a device. */
  KEY("key", "everything that carries one unit id"),
  /** What the records hold that name one id among their owners: the sender, the receiver. */
  OWNERS("owners", "what all records hold that name one id among their owners");

  private final String configName;
  private final String sentence;

  PrivacyUnit(String configName, String sentence) {
    this.configName = configName;
    this.sentence = sentence;
  }

  /** Whether it is an id, of which there may be many records: every unit but a record. */
  public boolean isId() {
    return this != RECORD;
  }

  /** The name in configurations and published records. */
  public String configName() {
    return configName;
  }

  /** What the word means, as half a sentence. */
  public String sentence() {
    return sentence;
  }

  /** The constant of a configured name, or empty where there is none of that name. */
  public static Optional<PrivacyUnit> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
