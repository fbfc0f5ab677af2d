package dev.sotto.learner.accounting;

import java.util.Arrays;
import java.util.Optional;

/** Which two logs count as neighbours (docs/privacy.md, "Units and neighbouring logs"). */
public enum Adjacency {
  /** A unit's records become null slots at the same positions. */
  ZERO_OUT(
      "zero-out", 1, "whether the unit's records were learned from, or left their slots empty"),
  /** The contents of a unit's records are replaced by any others. */
  REPLACE_ONE("replace-one", 2, "whether the unit's records held what they did, or anything else");

  private final String configName;
  private final int factor;
  private final String sentence;

  Adjacency(String configName, int factor, String sentence) {
    this.configName = configName;
    this.factor = factor;
    this.sentence = sentence;
  }

  /** How far a batch sum moves, in l2, when one participation of a unit changes: clip or 2 clip. */
  public double sensitivity(double clip) {
    if (!(clip > 0) || clip == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("clip must be positive and finite, but was " + clip);
    }
    return factor * clip;
  }

  /** The name in configurations and published records. */
  public String configName() {
    return configName;
  }

  /** What nobody can find out from all that is published, as half a sentence. */
  public String sentence() {
    return sentence;
  }

  /** The constant of a configured name, or empty where there is none of that name. */
  public static Optional<Adjacency> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
