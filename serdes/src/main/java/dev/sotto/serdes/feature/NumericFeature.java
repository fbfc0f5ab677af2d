package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Hats;
import dev.sotto.learner.example.RecordStatus;

/**
 * A number between public bounds at coordinates of its own: first z = 2 clip((t(v) - t(min)) /
 * (t(max) - t(min)), 0, 1) - 1, then the hats of z. Where there are hats, the map adds all such
 * numbers together ({@link FieldValues#numbers}).
 */
record NumericFeature(
    FeatureMapBuilder.Numeric spec, int place, int coordinate, Hats hats, double low, double width)
    implements Feature {

  static NumericFeature of(
      FeatureMapBuilder.Numeric spec, FieldPaths paths, int coordinate, Hats hats) {
    double low = spec.transform().of(spec.min());
    double width = spec.transform().of(spec.max()) - low;
    return new NumericFeature(spec, paths.place(spec.field(), false), coordinate, hats, low, width);
  }

  @Override
  public RecordStatus addTo(Example example, FieldValues values) {
    RecordStatus status = values.numberAt(place, false);
    if (status != RecordStatus.USED) {
      return Feature.unless(spec.optional(), status);
    }
    double z = scaled(values.number(place));
    if (hats.intervals() == 0) {
      example.append(coordinate, z);
    } else {
      values.numbers().add(coordinate, z);
    }
    return RecordStatus.USED;
  }

  private double scaled(double value) {
    if (value <= spec.min()) { // t is monotone: clip before it, and save a logarithm
      return -1;
    }
    if (value >= spec.max()) {
      return 1;
    }
    return 2 * Math.max(0, Math.min(1, (spec.transform().of(value) - low) / width)) - 1;
  }
}
