package dev.sotto.app.command;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.extension.Extension;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.LossProvider;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventDecoderProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What users might bring along. */
public final class UserCode {
  private UserCode() {}

  /** Runs something with a class path on which these providers are. */
  @SafeVarargs
  static <T> T with(Path folder, Call<T> call, Class<? extends Extension>... providers)
      throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    StringBuilder losses = new StringBuilder();
    StringBuilder decoders = new StringBuilder();
    for (Class<? extends Extension> each : providers) {
      boolean isLoss = LossProvider.class.isAssignableFrom(each);
      (isLoss ? losses : decoders).append(each.getName()).append('\n');
    }
    Files.writeString(services.resolve(LossProvider.class.getName()), losses);
    Files.writeString(services.resolve(EventDecoderProvider.class.getName()), decoders);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return call.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @FunctionalInterface
  interface Call<T> {
    T call() throws IOException;
  }

  /** A Huber loss that throws at some labels, and is NaN at others. */
  public static class Moody implements LossProvider {
    static final double THROWN_AT = 3;
    static final double NAN_AT = 4;

    @Override
    public String name() {
      return "moody";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public Loss create(Map<String, String> parameters) {
      double threshold = Double.parseDouble(parameters.getOrDefault("threshold", "1"));
      if (!(threshold > 0)) {
        throw new IllegalArgumentException("threshold must be positive, but was " + threshold);
      }
      Loss huber = new Huber(threshold);
      return new Loss() {
        @Override
        public double value(double score, double label) {
          return huber.value(score, label);
        }

        @Override
        public double slope(double score, double label) {
          if (label == THROWN_AT) {
            throw new IllegalStateException("a label that nobody thought of: " + label);
          }
          return label == NAN_AT ? Double.NaN : huber.slope(score, label);
        }

        @Override
        public boolean admits(double label) {
          return true;
        }

        @Override
        public double lipschitz() {
          return huber.lipschitz();
        }

        @Override
        public double smoothness() {
          return huber.smoothness();
        }

        @Override
        public double predict(double score) {
          return score;
        }
      };
    }
  }

  /** The same under another version. */
  public static final class Later extends Moody {
    @Override
    public String version() {
      return "2";
    }
  }

  /** Takes a built-in name. */
  public static final class Usurper extends Moody {
    @Override
    public String name() {
      return "huber";
    }
  }

  /** Reads texts "x,y,label"; throws where that is not what it finds. */
  public static class Commas implements EventDecoderProvider {
    @Override
    public String name() {
      return "commas";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public EventDecoder create(Map<String, String> parameters) {
      int width = Integer.parseInt(parameters.getOrDefault("width", "2"));
      return new EventDecoder() {
        @Override
        public int dimension() {
          return width;
        }

        @Override
        public RecordStatus decode(byte[] key, byte[] value, Slot into) {
          String[] fields = new String(value, StandardCharsets.UTF_8).split(",");
          for (int i = 0; i < width; i++) {
            into.example().add(i, Double.parseDouble(fields[i]));
          }
          into.example().label(Double.parseDouble(fields[width]));
          return RecordStatus.USED;
        }
      };
    }
  }

  /** A decoder that was called as one that is built in. */
  public static final class Json extends Commas {
    @Override
    public String name() {
      return "json";
    }
  }

  /** A decoder that needs what was not packed along. */
  public static final class Unpacked extends Commas {
    @Override
    public EventDecoder create(Map<String, String> parameters) {
      EventDecoder commas = super.create(parameters);
      return new EventDecoder() {
        @Override
        public int dimension() {
          return commas.dimension();
        }

        @Override
        public RecordStatus decode(byte[] key, byte[] value, Slot into) {
          throw new NoClassDefFoundError("org/example/Parser");
        }
      };
    }
  }
}
