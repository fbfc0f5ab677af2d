package dev.sotto.app.compare;

/** What a run is for. */
public enum Role {
  /** The configuration as it stands. */
  CONFIGURED("as configured"),

  /** Its bounds on what a unit contributes, and nothing else of its privacy. */
  BOUNDING("bounding only"),

  /** None of its privacy. */
  NONE("without privacy");

  private final String words;

  Role(String words) {
    this.words = words;
  }

  /** In words, for people and for JSON. */
  public String words() {
    return words;
  }
}
