package dev.sotto.learner.accounting;

import java.util.Arrays;
import java.util.Optional;

/** Whose contribution a guarantee hides (docs/privacy.md, "Units and neighbouring logs"). */
public enum PrivacyUnit {
  /** One record, or all records that carry one record id where an id is configured. */
  RECORD("record", "one record of the stream", "any one record"),
  /** All records with one unit id: a user, a device. */
  KEY("key", "all records with one unit id", "the records of any one unit id"),
  /** What the records hold that name one id among their owners: the sender, the receiver. */
  OWNERS(
      "owners",
      "the contents of all records that name one id as an owner",
      "the records that name any one id as an owner");

  private final String configName;
  private final String sentence;
  private final String any;

  PrivacyUnit(String configName, String sentence, String any) {
    this.configName = configName;
    this.sentence = sentence;
    this.any = any;
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

  /** Any such unit's records, as half a sentence. */
  public String any() {
    return any;
  }

  /** The constant of a configured name, or empty where there is none of that name. */
  public static Optional<PrivacyUnit> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
