package dev.sotto.evaluation.compare;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a run is for. */
public enum RunRole {
  /** The configuration as it stands. */
  CONFIGURED("as configured"),

  /** Its bounds on the contributions of a unit, without noise and clipping. */
  BOUNDING("bounding only"),

  /** No noise, no clipping and no bounds. */
  NONE("without privacy");

  private final String label;

  RunRole(String label) {
    this.label = label;
  }

  /** The name in texts and in JSON. */
  @JsonValue
  public String label() {
    return label;
  }
}
