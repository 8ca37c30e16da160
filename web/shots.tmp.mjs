import { chromium } from "@playwright/test";
import { spawn } from "node:child_process";
import { mkdtempSync, chmodSync } from "node:fs";
const folder = process.env.FOLDER ?? mkdtempSync("/tmp/mm-shots-"); chmodSync(folder, 0o755);
const child = spawn("/work/wt/target-websrv/debug/melmastoon", ["up","--demo","--listen","127.0.0.1:0","--data-dir",folder], {stdio:["ignore","pipe","pipe"]});
let said=""; let err="";
child.stderr.on("data",(b)=>err+=b);
await new Promise((ok,no)=>{child.stdout.on("data",(b)=>{said+=b; if(/melmastoon ready at/.test(said)) ok();}); child.on("exit",(c)=>no(new Error("exit "+c+err.slice(-1500))));});
const url=/ready at (\S+)/.exec(said)[1]; console.log(said);
const browser = await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
try {
  const pages=(process.env.PAGES??"/desk,/linen,/lost,/stats,/print/all,/settings,/roster,/desk/chart").split(",");
  const combos=(process.env.COMBOS??"1440-light-en,320-light-en,768-dark-ps").split(",");
  for (const combo of combos) {
    const [w,theme,lang]=combo.split("-");
    const context = await browser.newContext({viewport:{width:+w,height:w==="320"?640:900}, baseURL:url});
    await context.addInitScript(([l,t])=>{localStorage.setItem("melmastoon.language",l);localStorage.setItem("melmastoon.theme",t);},[lang,theme]);
    const page=await context.newPage();
    page.on("console",(m)=>m.type()==="error"&&console.log(combo,"console",m.text()));
    page.on("pageerror",(e)=>console.log(combo,"pageerror",e.message));
    page.on("response",(r)=>r.status()>=400&&console.log(combo,r.status(),r.url()));
    await page.goto(`/login?demo=${process.env.ROLE??"property_manager"}`);
    await page.waitForURL((u)=>!u.pathname.startsWith("/login"),{timeout:20000});
    for (const path of pages) {
      await page.goto(path);
      await page.waitForSelector('[data-testid=app][data-ready=yes]',{timeout:10000}).catch(()=>console.log("not ready",path,combo));
      await page.waitForTimeout(400);
      const wide=await page.evaluate(()=>document.documentElement.scrollWidth-document.documentElement.clientWidth);
      if (wide>0) console.log("SIDEWAYS",path,combo,wide);
      await page.screenshot({path:`/tmp/shots/${path.replaceAll("/","_")}-${combo}.png`,fullPage:path!=="/print/all"});
    }
    await context.close();
  }
} finally { await browser.close(); child.kill("SIGTERM"); await new Promise((ok)=>child.on("exit",ok)); }
