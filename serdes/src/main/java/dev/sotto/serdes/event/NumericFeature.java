package dev.sotto.serdes.event;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Verdict;

/**
 * A number between public bounds at a coordinate of its own: z = 2 clip((t(v) - t(min)) / (t(max) -
 * t(min)), 0, 1) - 1.
 */
record NumericFeature(
    String name,
    String field,
    int place,
    int coordinate,
    double min,
    double max,
    Transform transform,
    boolean optional,
    double low,
    double width)
    implements Feature {

  static NumericFeature of(FeatureMapBuilder.Numeric spec, FieldPaths paths, int coordinate) {
    double low = spec.transform().of(spec.min());
    return new NumericFeature(
        spec.name(),
        spec.field(),
        paths.place(spec.field(), false),
        coordinate,
        spec.min(),
        spec.max(),
        spec.transform(),
        spec.optional(),
        low,
        spec.transform().of(spec.max()) - low);
  }

  @Override
  public Verdict addTo(Example example, FieldValues values) {
    Verdict verdict = values.numberAt(place, false);
    if (verdict != Verdict.USED) {
      return Feature.unless(optional, verdict);
    }
    example.add(coordinate, scaled(values.number(place)));
    return Verdict.USED;
  }

  private double scaled(double value) {
    if (value <= min) { // t is monotone: clip before it, and save a logarithm
      return -1;
    }
    if (value >= max) {
      return 1;
    }
    return 2 * Math.max(0, Math.min(1, (transform.of(value) - low) / width)) - 1;
  }

  @Override
  public String describe() {
    return "numeric " + name + " " + Texts.quoted(field) + " " + Texts.number(min) + " "
        + Texts.number(max) + " " + transform.word() + " " + Feature.need(optional);
  }
}
