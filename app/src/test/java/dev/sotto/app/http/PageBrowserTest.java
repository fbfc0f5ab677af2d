package dev.sotto.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sotto.app.page.StatusPage;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.topology.status.LifecyclePhase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

/** The page in a real Chromium; skipped where there is none, or no driver of it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageBrowserTest {
  private static final String HOSTILE = "<img src=x onerror=document.title='taken'>\"'&";
  private static volatile String state;
  private static HttpEndpoint endpoint;
  private static ChromeDriver browser;

  @TempDir
  static Path profile;

  private static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(each -> Path.of(each, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  @BeforeAll
  static void open() {
    Path chromium = program("chromium");
    Path driver = program("chromedriver");
    assumeTrue(
        chromium != null && driver != null,
        "skipped: chromium or chromedriver is not on the PATH, so no page was opened");
    state = state("model", 128, 1.5, false);
    StatusPage page = new StatusPage("flights", Map::of);
    Map<String, HttpEndpoint.Page> paths = new HashMap<>(page.paths());
    paths.put("/api/state", new HttpEndpoint.Page("application/json", () -> state));
    endpoint = HttpEndpoint.startWith(
        "flights",
        HttpSettings.anyPort(),
        Views.plan(),
        () -> Views.of(LifecyclePhase.RUNNING, true),
        Map::of,
        paths);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--user-data-dir=" + profile);
    browser = new ChromeDriver(
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.toFile())
            .usingAnyFreePort()
            .build(),
        options);
    browser.get(endpoint.address() + "/");
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.quit();
    }
    if (endpoint != null) {
      endpoint.close();
    }
  }

  private static String model(String id, long version, double epsilon, boolean alarm) {
    String points = IntStream.rangeClosed(1, 20)
        .mapToObj(i -> String.format(
            Locale.ROOT,
            "{\"round\":%d,\"slots\":%d,\"epsilon\":%s,\"time\":%d}",
            version * i / 20,
            40 * version * i / 20,
            epsilon * i / 20,
            1000 * i))
        .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"id\":%s,\"version\":%d,\"time\":1700000000000,\"algorithm\":\"private-ftrl\",\"last\":false,"
            + "\"unit\":\"key\",\"adjacency\":\"zero-out\",\"mechanism\":\"blt\",\"epsilon\":%s,"
            + "\"delta\":1e-6,\"limit\":2.0,\"budget\":2.0,\"left\":0.5,\"reserved\":false,"
            + "\"budgetNote\":\"for each unit\",\"slots\":5120,"
            + "\"perSecond\":1234.5,\"history\":[%s],\"windows\":["
            + "{\"firstRound\":1,\"lastRound\":64,\"loss\":{\"value\":0.6,\"error\":0.02},"
            + "\"accuracy\":{\"value\":0.7,\"error\":0.01},\"smooth\":{\"value\":0.6,\"error\":0.02},"
            + "\"constant\":{\"value\":0.69,\"error\":0.01}},"
            + "{\"firstRound\":65,\"lastRound\":128,\"loss\":{\"value\":0.5,\"error\":0.02},"
            + "\"accuracy\":{\"value\":0.8,\"error\":0.01},\"smooth\":{\"value\":0.55,\"error\":0.02},"
            + "\"constant\":{\"value\":0.69,\"error\":0.01}}],\"lossBound\":2,"
            + "\"quality\":{\"firstRound\":1,\"lastRound\":128,\"loss\":{\"value\":0.55,\"error\":0.015},"
            + "\"accuracy\":{\"value\":0.75,\"error\":0.01},"
            + "\"constant\":{\"value\":0.69,\"error\":0.01,\"above\":7.77},"
            + "\"baseRate\":{\"value\":null,\"error\":null,\"above\":null}},"
            + "\"reliability\":[{\"from\":0,\"to\":0.5,\"count\":100,\"countError\":20,"
            + "\"meanLabel\":0.2,\"error\":0.05},{\"from\":0.5,\"to\":1,\"count\":-9,"
            + "\"countError\":20,\"meanLabel\":null,"
            + "\"error\":null}],\"curves\":{\"version\":%d,\"more\":3,\"numbers\":["
            + "{\"feature\":%s,\"score\":null,\"spread\":0.5,\"points\":[{\"value\":0,\"score\":-0.2},"
            + "{\"value\":1,\"score\":0.3},{\"value\":1000,\"score\":0.1}]}]},\"drift\":{\"round\":128,\"rise\":0.2,\"threshold\":0.1,\"since\":%s}}",
        quoted(id),
        version,
        epsilon,
        points,
        version,
        quoted(id),
        alarm ? "65" : "null");
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private static String state(String id, long version, double epsilon, boolean alarm) {
    return "{\"app\":\"flights\",\"now\":1700000010000,\"models\":["
        + model(id, version, epsilon, alarm)
        + "," + model("second", 64, 1, false)
        + "],\"more\":false,\"perVersion\":4096,\"waiting\":1234,"
        + "\"waitingByPartition\":[{\"partition\":0,\"events\":1234}],"
        + "\"instances\":[{\"name\":\"3f2a9c1b\",\"host\":\"10.0.0.4\",\"threads\":2,"
        + "\"partitions\":\"flights 0-3\"}],\"takeovers\":[{\"time\":1700000000000,"
        + "\"partitions\":\"flights 0-1\",\"from\":\"9d0e77aa\",\"to\":\"3f2a9c1b\"}],"
        + "\"aliases\":[{\"alias\":\"champion\","
        + "\"model\":" + quoted(id) + ",\"version\":64,\"by\":\"jo\",\"since\":1700000000000}]}";
  }

  private static void screen(int width) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
  }

  /** Parts that are wider than the screen, or cut what they hold. */
  private static Object cut() {
    return browser.executeScript(
        "document.querySelectorAll('details').forEach(each => { each.open = true; });"
            + "return [...document.querySelectorAll('body *')].filter(each => {"
            + "  const box = each.getBoundingClientRect();"
            + "  return box.width > 2 && !each.closest('svg, .skip, caption, thead')"
            + "    && (box.right > innerWidth + 1 || each.scrollWidth > each.clientWidth + 1"
            + "      && getComputedStyle(each).display !== 'inline');"
            + "}).map(each => each.outerHTML.slice(0, 80)).join()");
  }

  private static List<?> charts() {
    return (List<?>) browser.executeScript("return [...document.querySelectorAll('svg.chart')]"
        + ".map(each => Math.round(each.getBoundingClientRect().width)).filter(each => each > 0)");
  }

  /** Nothing is cut on a desk or on a phone; charts and their letters have one size. */
  private static void fitsAnyScreen() {
    screen(390);
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(cut()).isEqualTo(""));
    assertThat(browser.findElements(By.cssSelector("table:not(.list)"))).isEmpty();
    assertThat(
            browser.findElement(By.cssSelector("#instance-table td")).getDomAttribute("data-head"))
        .isEqualTo("Instance");
    screen(1400);
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(
            () -> assertThat(browser.findElements(By.cssSelector("#alias-table table:not(.list)")))
                .hasSize(1));
    assertThat(cut()).isEqualTo("");
    List<?> many = charts();
    assertThat(many).hasSize(4);
    assertThat(many.stream().distinct()).hasSize(1);
    assertThat(browser.executeScript(
            "return document.querySelector('svg.chart').viewBox.baseVal.width"))
        .as("a letter is as large as it is said to be")
        .isEqualTo(many.get(0));
    for (WebElement each : browser.findElements(By.cssSelector("svg.chart"))) {
      assertThat(each.findElements(By.tagName("text")).size()).isGreaterThan(4);
    }
  }

  /** Of one version, without metrics and without curves. */
  @Test
  void drawsOneVersionAsAPointOfAChartOfTheSameSize() {
    String before = state;
    try {
      screen(1400);
      browser.get(endpoint.address() + "/");
      awaitText("loss", "0.5500");
      Object size = charts().get(0);
      state = before
          .replaceAll(
              "\"history\":\\[[^]]*]",
              "\"history\":[{\"round\":1,\"slots\":40,\"epsilon\":1,\"time\":1}]")
          .replaceAll("\"windows\":\\[[^]]*]", "\"windows\":[]")
          .replaceAll("\"reliability\":\\[[^]]*]", "\"reliability\":[]")
          .replace("\"numbers\":[", "\"numbers\":[],\"before\":[");
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(() -> assertThat(charts()).hasSize(1));
      assertThat(charts().get(0)).isEqualTo(size);
      assertThat(browser.findElements(By.cssSelector("#cost-chart circle"))).hasSize(1);
      assertThat(browser.findElements(By.cssSelector("#cost-chart path"))).isEmpty();
    } finally {
      state = before;
    }
  }

  /** A figure that is smaller than its noise is grey, and is said to be. */
  @Test
  void greysWhatTheNoiseLeavesNothingOf() {
    String before = state;
    try {
      browser.get(endpoint.address() + "/");
      awaitText("loss", "0.5500");
      String ink = colour("loss");
      assertThat(browser.findElements(By.cssSelector("#reliability-chart td.faint")))
          .hasSize(2);
      state = before.replace("\"error\":0.015", "\"error\":3.6");
      awaitText("loss-note", "smaller than its noise");
      assertThat(text("loss-note")).doesNotContain("better", "worse");
      assertThat(colour("loss")).isNotEqualTo(ink);
      state = before.replace("\"above\":7.77", "\"above\":-1.5");
      awaitText("loss-note", "not told apart (1.5 deviations");
      state = before.replace("\"above\":7.77", "\"above\":-2.5");
      awaitText("loss-note", "worse by 2.5 deviations");
    } finally {
      state = before;
    }
  }

  private static String colour(String id) {
    return browser.findElement(By.id(id)).getCssValue("color");
  }

  private static String text(String id) {
    return browser.findElement(By.id(id)).getText();
  }

  private static void awaitText(String id, String part) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(text(id)).contains(part));
  }

  /** The last, since it ends the learner. */
  @Test
  @Order(Integer.MAX_VALUE)
  void showsALearnerLiveToEyesKeysAndReaders() throws IOException {
    state = state("model", 128, 1.5, false);
    browser.get(endpoint.address() + "/");
    awaitText("version", "model@128"); // as alias takes it
    assertThat(text("phase")).isEqualTo("running");
    assertThat(text("epsilon")).contains("1.5000", "of 2.00");
    assertThat(text("meaning")).contains("person", "4.48 times likelier", "at or below 2.00");
    assertThat(text("drift")).isEqualTo("no alarm");
    assertThat(text("alias-table")).contains("champion", "jo");
    assertThat(browser.findElements(By.cssSelector("#cost-chart svg path"))).isNotEmpty();

    assertThat(text("curves-note")).contains("Version 128", "3 more");
    assertThat(text("curves")).contains("model");
    assertThat(browser.findElements(By.cssSelector("#curves svg path"))).hasSize(1);

    // The loss beside its baseline, and what the noise leaves of it.
    assertThat(text("loss")).isEqualTo("0.5500");
    assertThat(text("loss-note"))
        .contains("\u00b1 0.0150", "best constant 0.6900: better by 7.8 deviations of the noise");

    // What waits, and who learns.
    assertThat(text("waiting")).isEqualTo("1,234");
    assertThat(text("waiting-note")).contains("4,096");
    assertThat(text("instances"))
        .contains("3f2a9c1b", "10.0.0.4", "flights 0-3", "Taken over", "9d0e77aa");

    // Live, without a reload.
    state = state("model", 256, 1.75, true);
    awaitText("version", "256");
    assertThat(text("drift")).isEqualTo("alarm");
    assertThat(text("drift-note")).contains("since round 65");

    // Another model, by mouse; the choice stays over the next update.
    List<WebElement> models = browser.findElements(By.cssSelector("nav button"));
    assertThat(models).hasSize(2);
    models.get(1).click();
    awaitText("title", "second");
    assertThat(models.get(1).getAttribute("aria-pressed")).isEqualTo("true");
    assertThat(browser.getCurrentUrl()).endsWith("#second");

    // By keys: a table opens with the keyboard, and stays open while figures come in.
    browser.executeScript("document.querySelector('#cost-chart summary').focus()");
    new Actions(browser).sendKeys(Keys.ENTER).perform();
    assertThat(text("cost-chart")).contains("Round", "Epsilon");
    state = state("model", 320, 1.8, false)
        .replace("\"version\":64,\"time\"", "\"version\":72,\"time\"");
    awaitText("version", "72");
    assertThat(text("cost-chart")).contains("Round", "Epsilon");

    // For screen readers: everything that is drawn has words, everything named is there.
    assertThat(browser.findElements(By.cssSelector("svg.chart:not([aria-label])")))
        .isEmpty();
    for (WebElement each : browser.findElements(By.cssSelector("[aria-labelledby]"))) {
      assertThat(browser.findElements(By.id(each.getAttribute("aria-labelledby"))))
          .hasSize(1);
    }
    assertThat(browser.findElement(By.id("meter")).getAttribute("aria-valuemax"))
        .isEqualTo("2");

    fitsAnyScreen();

    // An address that is no encoded text names no model, and the page goes on.
    browser.get("about:blank");
    browser.get(endpoint.address() + "/#%");
    awaitText("version", "320");

    // A hostile name is a name.
    state = state(HOSTILE, 1, 1, false);
    browser.navigate().refresh();
    awaitText("models", HOSTILE);
    assertThat(browser.getTitle()).isEqualTo("Sotto \u00b7 flights");
    assertThat(browser.findElements(By.tagName("img"))).isEmpty();

    // Light and dark differ, and a learner that is gone is said to be.
    byte[] light = browser.getScreenshotAs(OutputType.BYTES);
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
    assertThat(browser.getScreenshotAs(OutputType.BYTES)).isNotEqualTo(light);
    String ground =
        (String) browser.executeScript("return getComputedStyle(document.body).backgroundColor");
    assertThat(ground).isEqualTo("rgb(16, 21, 27)");
    assertThat(browser.manage().logs().get("browser").getAll())
        .noneMatch(each -> each.getMessage().contains("Content Security Policy"));
    endpoint.close();
    awaitText("phase", "no answer");
    assertThat(text("models")).contains(HOSTILE);
  }
}
