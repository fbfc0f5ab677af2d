package org.example.trips;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventDecoderProvider;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * Trips to examples with features that no setting of Sotto's own makes: the hour on a circle, a
 * ratio of two fields.
 */
public final class TripDecoder implements EventDecoderProvider {
  static final int BIAS = 0;
  static final int SIN_HOUR = 1;
  static final int COS_HOUR = 2;
  static final int KM = 3;
  static final int HURRY = 4;
  private static final int DIMENSION = 5;

  /** Labels are lateness over half an hour, cut to [-1, 1]. */
  private static final double HALF_HOUR = 30;

  @Override
  public String name() {
    return "trips";
  }

  /**
   * Changes with anything that changes an example; Sotto then refuses to go on with a running
   * model.
   */
  @Override
  public String version() {
    return "1";
  }

  @Override
  public EventDecoder create(Map<String, String> parameters) {
    double longest = Double.parseDouble(parameters.getOrDefault("longest.km", "20"));
    if (!(longest > 0)) {
      throw new IllegalArgumentException("longest.km must be positive, but was " + longest);
    }
    return new Trips(longest);
  }

  /** Every bound is public and fixed; nothing of one trip is kept for the next. */
  private record Trips(double longest, ObjectMapper json) implements EventDecoder {
    Trips(double longest) {
      this(longest, new ObjectMapper());
    }

    @Override
    public int dimension() {
      return DIMENSION;
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      JsonNode trip;
      try {
        trip = json.readTree(value);
      } catch (IOException noJson) {
        return RecordStatus.UNREADABLE;
      }
      for (String name : new String[] {"at", "km", "plannedMinutes", "lateMinutes"}) {
        if (!trip.hasNonNull(name)) {
          return RecordStatus.MISSING_FIELD;
        }
      }
      double km = trip.get("km").asDouble(Double.NaN);
      double planned = trip.get("plannedMinutes").asDouble(Double.NaN);
      if (!(km >= 0) || !(planned > 0)) {
        return RecordStatus.WRONG_TYPE;
      }
      double hour;
      try {
        hour = Instant.parse(trip.get("at").asText()).atOffset(ZoneOffset.UTC).getHour();
      } catch (DateTimeException noTime) {
        return RecordStatus.WRONG_TYPE;
      }
      var example = into.example();
      example.add(BIAS, 1);
      example.add(SIN_HOUR, StrictMath.sin(2 * StrictMath.PI * hour / 24));
      example.add(COS_HOUR, StrictMath.cos(2 * StrictMath.PI * hour / 24));
      example.add(KM, cut(km / longest));
      example.add(HURRY, cut(km / planned)); // kilometres a minute: 60 km/h is 1
      example.label(cut(trip.get("lateMinutes").asDouble(Double.NaN) / HALF_HOUR));
      // Sotto brings the vector to norm 1, and sets aside what is not finite.
      return RecordStatus.USED;
    }

    private static double cut(double value) {
      return Math.max(-1, Math.min(1, value));
    }
  }
}
